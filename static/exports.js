// Columns of a mapping are moved by buttons beside their numbers. The form works without this file.
"use strict";

const list = document.getElementById("mapping-columns");

function renumber() {
  [...list.children].forEach((row, index) => {
    const order = row.querySelector("input.order");
    if (order.value || row.querySelector("input[type=text]").value) order.value = index + 1;
  });
}

function move(row, step) {
  const other = step < 0 ? row.previousElementSibling : row.nextElementSibling;
  if (!other) return;
  if (step < 0) other.before(row);
  else other.after(row);
  renumber();
  const heading = row.querySelector("input[type=text]").value;
  row.querySelector("button").focus();
  status.textContent = `${heading || "The column"} is number ${[...list.children].indexOf(row) + 1} now.`;
}

function button(text, label, step) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", () => move(made.closest("[role=group]"), step));
  return made;
}

const status = document.createElement("p");
status.className = "sr";
status.setAttribute("role", "status");
list.after(status);
[...list.children].forEach((row) => {
  row.append(button("↑", "Move up", -1), button("↓", "Move down", 1));
});
