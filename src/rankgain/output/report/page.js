"use strict";
// Tables sort by a click on a head and filter by text. Without this script the page is complete.

function shown(cell) {
  const named = cell.querySelector("summary") || cell.querySelector("b");
  return (named || cell.firstChild || cell).textContent.trim();
}

function compare(a, b) {
  const x = parseFloat(a.replace("<", "")), y = parseFloat(b.replace("<", ""));
  if (!isNaN(x) && !isNaN(y) && x !== y) return x - y;
  if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1; // what is no number is last
  return a.localeCompare(b, undefined, { numeric: true });
}

function sort(table, column, head) {
  const heads = head.parentNode.children;
  const up = head.getAttribute("aria-sort") === "descending" ||
    (head.getAttribute("aria-sort") === "none" && column === 0);
  for (const other of heads) other.setAttribute("aria-sort", "none");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const body = table.tBodies[0];
  const keyed = Array.from(body.rows, (row, at) => [shown(row.cells[column]), at, row]);
  keyed.sort((a, b) => (up ? compare(a[0], b[0]) : compare(b[0], a[0])) || a[1] - b[1]);
  body.append(...keyed.map((one) => one[2]));
}

function makeSortable(table) {
  Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => sort(table, column, head));
  });
}

function makeFiltered(box, table) {
  const form = document.createElement("div"), label = document.createElement("label");
  const input = document.createElement("input"), count = document.createElement("span");
  form.className = "filter";
  input.type = "search";
  count.setAttribute("role", "status");
  label.append("Show rows with names that contain ", input);
  form.append(label, count);
  box.before(form);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const row of table.tBodies[0].rows) {
      const named = Array.from(row.cells).filter((one) => one.matches("th, .name"));
      const text = named.map(shown).join(" ").toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      left += !row.hidden;
    }
    count.textContent = words.length ? `${left} of ${table.tBodies[0].rows.length} rows` : "";
  });
}

// Says in words that a table goes on at the right, until it is scrolled there.
function watchEdge(box) {
  const hint = document.createElement("p");
  hint.className = "more note";
  hint.textContent = "More columns at the right: scroll the table sideways.";
  box.before(hint);
  const update = () => { hint.hidden = box.scrollLeft + box.clientWidth >= box.scrollWidth - 2; };
  box.addEventListener("scroll", update, { passive: true });
  new ResizeObserver(update).observe(box);
  update();
}

document.querySelectorAll(".wide").forEach(watchEdge);
for (const box of document.querySelectorAll(".sortable")) {
  const table = box.querySelector("table");
  makeSortable(table);
  if (box.classList.contains("filtered")) makeFiltered(box, table);
}
