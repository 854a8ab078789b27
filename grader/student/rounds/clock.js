// A clock that counts up, can be hidden, and never interrupts: a timer is not read aloud unless it is gone to.

function shown(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function render({ model, el }) {
  const time = document.createElement("span");
  time.setAttribute("role", "timer");
  time.setAttribute("aria-label", "Time on this page, minutes and seconds");
  time.style.fontVariantNumeric = "tabular-nums";
  const hide = document.createElement("button");
  hide.type = "button";
  hide.style.cssText =
    "font: inherit; color: inherit; background: transparent; border: 1px solid; border-radius: 4px; padding: 0.2em 0.8em";
  const box = document.createElement("div");
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "Clock");
  box.style.cssText = "display: flex; gap: 1em; align-items: baseline; color: var(--jp-ui-font-color1, #1a1a1a)";
  box.append(time, hide);
  el.append(box);

  let base = 0; // on this page's own clock, the moment at which the kernel's stood at 0
  let fixed; // the seconds of a clock that was stopped
  const tick = () => {
    time.textContent = shown(fixed ?? (performance.now() - base) / 1000) + (fixed === undefined ? "" : " (stopped)");
  };
  const setHidden = (hidden) => {
    time.hidden = hidden;
    hide.textContent = hidden ? "Show the clock" : "Hide the clock";
  };
  hide.addEventListener("click", () => setHidden(!time.hidden));
  const told = ({ seconds, runs }) => {
    base = performance.now() - 1000 * seconds;
    fixed = runs ? undefined : seconds;
    tick();
  };
  model.on("msg:custom", told);
  setHidden(false);
  model.send({ kind: "ready" });
  const beat = setInterval(tick, 1000);
  return () => {
    clearInterval(beat);
    model.off("msg:custom", told);
  };
}

export default { render };
