// Links from a question to the lesson that teaches it.

import { h } from "./dom.js";

const RENDERED = 2000; // milliseconds until a notebook that was opened is surely on the screen

// JupyterLab says where its server's files begin; other pages do not, and get the path as text.
function pathOnServer(paths) {
  try {
    const config = JSON.parse(document.getElementById("jupyter-config-data").textContent);
    const root = config.serverRoot.replace(/\/$/, "");
    const found = paths.find((path) => path.startsWith(`${root}/`));
    return found && { path: found.slice(root.length + 1), base: config.baseUrl };
  } catch {
    return undefined;
  }
}

// Lab finds a heading only in a notebook that it has rendered: one that the click itself opened is asked again.
function askAgain(link) {
  link.addEventListener("click", (event) => {
    if (!event.isTrusted) return;
    setTimeout(() => {
      const elsewhere = !link.offsetParent && !document.querySelector(".jp-Dialog");
      if (elsewhere) link.click();
    }, RENDERED);
  });
  return link;
}

export function taughtAt({ paths, shown, heading, anchor }) {
  const words = heading ? `${shown}, “${heading}”` : shown;
  const place = pathOnServer(paths);
  if (!place) return h("p", { class: "quiz-taught" }, `This is taught in ${words}.`);
  const id = anchor && `#${anchor}`;
  const address = place.path.split("/").map(encodeURIComponent).join("/");
  // The attributes are JupyterLab's own way to run a command: it shows the notebook beside this one, at the heading.
  const link = h("a", {
    href: `${place.base}lab/tree/${address}`,
    "data-commandlinker-command": "rendermime:handle-local-link",
    "data-commandlinker-args": JSON.stringify({ path: place.path, id }),
  }, words);
  return h("p", { class: "quiz-taught" }, "This is taught in ", askAgain(link), ".");
}
