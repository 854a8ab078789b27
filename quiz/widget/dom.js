// Elements, made without a framework.

export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// `html` comes from the bank, made by Python with raw HTML switched off.
export function fromHtml(tag, attributes, html) {
  const node = h(tag, attributes);
  node.innerHTML = html;
  return node;
}

// A letter to speak of; and a name for what is nothing but mathematics.
export const letter = (i) => String.fromCharCode(65 + i);
