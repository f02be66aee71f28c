// Builds elements. Text goes in as text nodes only, so nothing a user or a room is called is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = value;
    else if (value === true) node.setAttribute(name, "");
    else node.setAttribute(name, String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// Text that is broken into lines between its parts and not inside of them: dates, times and counts stay whole.
export function inParts(text) {
  return text.split(/(?<=，|, | · |·? (?=\d\d:))/).map((part) => el("span", { class: "part", text: part }));
}

export function byId(id) {
  return document.getElementById(id);
}
