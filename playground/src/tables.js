// Tables that sort, and the elements that pages are made of.

/** An element with attributes, event handlers and children; text is text and nothing else. */
export function make(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const show = (value) => {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  return (Number.isInteger(value) && Math.abs(value) > 1 ? String(value) : value.toFixed(4)).replace("-", "−");
};

export const sign = (value) => (value > 0 ? "+" : "") + show(value);

/** A number with all its digits for other programs, shown with four decimals. */
export const number = (value, text = show(value)) =>
  typeof value === "number" ? make("data", { value }, text) : make("span", {}, text);

/** A table; `columns` have a name, a key to sort by, and make the content of a cell from a row. */
export function table(caption, columns, rows, { most = Infinity, kind } = {}) {
  const body = make("tbody", { keydown: step });
  const heads = columns.map((column) =>
    make(
      "th",
      { scope: "col", class: column.text && "text", "aria-sort": "none" },
      make("button", { type: "button", click: () => order(column) }, column.name),
    ),
  );
  let up = false,
    by;
  let limit = most;
  function order(column) {
    up = by === column ? !up : Boolean(column.text);
    by = column;
    heads.forEach((head, place) =>
      head.setAttribute("aria-sort", columns[place] === by ? (up ? "ascending" : "descending") : "none"),
    );
    fill();
  }
  function fill() {
    const sorted = by ? [...rows].sort((a, b) => (up ? 1 : -1) * rank(by.key(a), by.key(b))) : rows;
    body.replaceChildren(
      ...sorted.slice(0, limit).map((row) =>
        make(
          "tr",
          {},
          ...columns.map((column, place) =>
            make(
              place ? "td" : "th",
              {
                scope: place ? undefined : "row",
                class: column.text && "text",
                "data-label": kind && column.name,
              },
              column.cell ? column.cell(row) : number(column.key(row)),
            ),
          ),
        ),
      ),
    );
    if (rows.length > limit)
      body.append(
        make(
          "tr",
          {},
          make(
            "td",
            { colspan: columns.length, class: "text" },
            make(
              "button",
              {
                type: "button",
                class: "plain",
                click: () => {
                  limit = Infinity;
                  fill();
                },
              },
              `Show all ${rows.length} rows`,
            ),
          ),
        ),
      );
    rove(body);
  }
  fill();
  return make(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    make(
      "table",
      { class: kind },
      make("caption", { class: "hidden" }, caption),
      make("thead", {}, make("tr", {}, ...heads)),
      body,
    ),
  );
}

/** One button of a table's body is in the order of Tab; arrow keys lead to the others. */
function rove(body) {
  body.querySelectorAll("button").forEach((button, place) => (button.tabIndex = place ? -1 : 0));
}

function step(event) {
  const [across, down] =
    { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
  const cell = event.target.closest("button") && event.target.closest("th, td");
  if (across === undefined || !cell) return;
  const rows = cell.closest("tbody").rows;
  let [x, y] = [cell.cellIndex, cell.parentElement.rowIndex - 1],
    next;
  do next = rows[(y += down)]?.cells[(x += across)];
  while (next && !next.querySelector("button"));
  if (!next) return;
  event.preventDefault();
  event.target.tabIndex = -1;
  next.querySelector("button").tabIndex = 0;
  next.querySelector("button").focus();
}

function rank(a, b) {
  if (a === b) return 0;
  if (a === null || a === undefined) return -1;
  if (b === null || b === undefined) return 1;
  return typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
}

/** An interval around a difference on a scale that has 0 in the middle. */
export function interval(row, most, tone) {
  const place = (value) => (50 + (49 * value) / (most || 1)).toFixed(2);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", `interval ${tone}`);
  svg.setAttribute("viewBox", "0 0 100 22");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const draw = (kind, path) => {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    line.setAttribute("class", kind);
    line.setAttribute("d", path);
    svg.append(line);
  };
  draw("zero", "M50 1V21");
  if (row.low !== null) draw("range", `M${place(row.low)} 11H${place(row.high)}`);
  draw("point", `M${place(row.difference)} 11h.01`);
  return svg;
}
