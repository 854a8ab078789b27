"""The probe that every exercise on a norm as a module shares."""

from grader.probe import Recorder


def probe_norm_module(cls, rec: Recorder, names: tuple[str, ...], gradient_cases: tuple[str, ...]) -> None:
    """Makes the module, loads the parameters `names` and runs it, with gradients in `gradient_cases`.

    A case without eps is a module as it is constructed: default eps, nothing loaded, initial values recorded.
    """
    fresh = "eps" not in rec.case.data
    module = cls(rec["x"].shape[-1], **({} if fresh else {"eps": rec["eps"]}))
    rec.parameters(module, *names)
    rec.cast(module, rec["x"].dtype)
    if fresh:
        for name in names:
            rec.output(f"initial_{name}", getattr(module, name, None))
    else:
        rec.load(module, **{name: rec[name] for name in names})
    (x,) = rec.inputs("x")
    rec.output("y", module(x))
    if rec.case.name in gradient_cases:
        leaves, (x,) = rec.leaves("x")
        leaves |= {name: p for name, p in module.named_parameters() if p.requires_grad}
        rec.gradients(module(x), rec["grad_y"], leaves)
