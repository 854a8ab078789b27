// Links from a question to the lesson that teaches it.

import { h } from "./dom.js";

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
  return h("p", { class: "quiz-taught" }, "This is taught in ", link, ".");
}
