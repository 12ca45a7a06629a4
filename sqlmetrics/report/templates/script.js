"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const scores = (data.scores ?? []).map((runs, m) => runs.map(
    (known) => known.map((score) => score === null ? null : score / 10 ** (data.digits[m] + 3))));
  const find = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  // The table of queries: sorted by a heading, filtered by the box.
  const table = document.getElementById("queries");
  const body = table.tBodies[0];
  const headings = all("th[aria-sort]", table);
  const read = (row, column) => row.cells[column].textContent;
  const number = (value) => value === "–" ? NaN : Number(value.replace("−", "-").replaceAll(",", ""));
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;

  function sort(column, direction) {
    headings.forEach((each, n) => each.setAttribute("aria-sort", n === column ? direction : "none"));
    const sign = direction === "ascending" ? 1 : -1;
    const isText = column <= (data.labels ?? 0) && headings[column].matches(":first-child, .text");
    const rows = [...body.rows].map((row) => [row, read(row, column)]);
    rows.sort(([, a], [, b]) => {
      if (isText) return sign * compare(a, b);
      const [x, y] = [number(a), number(b)];
      return isNaN(x) || isNaN(y) ? isNaN(x) - isNaN(y) : sign * (x - y);
    });
    body.append(...rows.map(([row]) => row));
  }
  headings.forEach((heading, column) => find("button", heading).addEventListener("click", () => {
    sort(column, heading.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending");
  }));

  const box = document.getElementById("find");
  function filter() {
    const wanted = box.value.trim().toLowerCase();
    let shown = 0;
    for (const row of body.rows) {
      const cells = [...row.cells].filter((cell, n) => !n || cell.matches(".text"));
      row.hidden = !cells.some((cell) => cell.textContent.toLowerCase().includes(wanted));
      shown += !row.hidden;
    }
    document.getElementById("found").textContent = wanted ? `${shown} of ${body.rows.length}` : "";
  }
  box.closest("label").hidden = false;
  box.addEventListener("input", filter);

  // Names of dots.
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  document.body.append(tip);
  for (const strip of all(".strip[data-run]")) {
    const svg = find("svg", strip);
    const own = scores[0][strip.dataset.run];
    const { low, high } = strip.closest("figure").dataset;
    find("title", svg).remove(); // which would lie upon ours; the label says the same
    svg.addEventListener("pointermove", (event) => {
      const place = svg.getBoundingClientRect();
      const value = +low + (event.clientX - place.left) / place.width * (high - low);
      let nearest = 0;
      const away = (n) => own[n] === null ? Infinity : Math.abs(own[n] - value);
      own.forEach((_, n) => { if (away(n) < away(nearest)) nearest = n; });
      tip.hidden = away(nearest) > (high - low) * 8 / place.width;
      if (tip.hidden) return;
      const same = own.filter((score) => score === own[nearest]).length - 1;
      tip.textContent = `${data.queries[nearest]}${same ? ` and ${same} more` : ""}: ${+own[nearest].toFixed(4)}`;
      tip.style.left = `${Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)}px`;
      tip.style.top = `${event.clientY - 34}px`;
    });
    svg.addEventListener("pointerleave", () => { tip.hidden = true; });
  }

  // The baseline and a run: a line for each query, and a bar for its difference.
  const make = (name, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) {
      made.setAttribute(key, typeof value === "number" ? trim(value) : value);
    }
    made.append(...children);
    return made;
  };
  const title = (content) => make("title", {}, content);
  const trim = (x) => String(+x.toFixed(1) || 0);
  const show = (x, digits) => x.toFixed(digits);
  const plus = (x, written) => (x > 0 ? "+" : "") + written.replace("-", "−");
  const sign = (x, digits) => +x.toFixed(digits) ? plus(x, x.toFixed(digits)) : (0).toFixed(digits);
  const tone = (x) => x > 1e-9 ? "up" : x < -1e-9 ? "down" : "tie";
  const scale = (ticks, top, bottom) => (value) =>
    bottom - (bottom - top) * (value - ticks[0]) / (ticks.at(-1) - ticks[0]);
  const drawGrid = (ticks, y, left, right, label) => ticks.flatMap((tick) => [
    make("line", { class: "grid", x1: left, x2: right, y1: y(tick), y2: y(tick) }),
    make("text", { x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, label(tick)),
  ]);

  function drawSlope(svg, pairs, run) {
    const { left, right, top, bottom, leader, ticks, most } = data.slope;
    const { head, named } = data.charts[run];
    const y = scale(ticks, top, bottom);
    const known = new Map(pairs.map((each) => [each.n, each]));
    const names = new Set(named.map(([n]) => n));
    const ordered = [...pairs].sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || a.n - b.n);
    svg.replaceChildren(
      ...drawGrid(ticks, y, left, right, String),
      make("text", { x: left, y: 14, class: "ink" }, title(data.runs[data.baseline]), data.head),
      make("text", { x: right, y: 14, class: "ink", "text-anchor": "middle" }, title(data.runs[run]), head),
      ...ordered.slice(0, most).reverse().map(({ n, before, after, change }) => make("g",
        { class: tone(change) + (names.has(n) ? " most" : "") },
        title(`${data.queries[n]}: ${show(before, data.digits[0])} → ${show(after, data.digits[0])}`),
        make("path", { d: `M${left} ${trim(y(before))}L${right} ${trim(y(after))}` }))),
      ...named.flatMap(([n, name, place]) => {
        const { after, change } = known.get(n);
        return [
          make("path", { d: `M${right + 3} ${trim(y(after))}L${right + leader - 4} ${trim(place)}`, class: "leader" }),
          make("text", { x: right + leader, y: place + 4, class: "ink" }, `${name} `,
            make("tspan", { class: tone(change) }, sign(change, Math.min(data.digits[0], 2)))),
        ];
      }));
    svg.setAttribute("aria-label", `Scores of queries, from ${data.runs[data.baseline]} to ${data.runs[run]}`);
  }

  function drawGains(svg, pairs, run) {
    const { ticks, bars, outcomes } = data.charts[run];
    const [left, right] = [52, 440];
    const y = scale(ticks, 12, 268);
    const ordered = pairs.filter(({ n }) => !bars || bars.includes(n))
      .sort((a, b) => b.change - a.change || a.n - b.n);
    const step = (right - left) / Math.max(ordered.length, 1);
    const width = bars ? step + 1 : Math.min(step * .78, 30); // many are an area
    svg.replaceChildren(
      ...drawGrid(ticks, y, left - 4, right, (tick) => plus(tick, String(tick))),
      make("line", { class: "zero", x1: left - 4, x2: right, y1: y(0), y2: y(0) }),
      ...ordered.map(({ n, change }, place) => {
        const height = tone(change) === "tie" ? 2 : Math.max(Math.abs(y(0) - y(change)), 1);
        const top = tone(change) === "tie" ? y(0) - 1 : Math.min(y(0), y(change));
        return make("rect", { class: tone(change), x: left + step * place + (step - width) / 2, y: top, width, height },
          title(`${data.queries[n]}: ${sign(change, data.digits[0])}`));
      }));
    find(".caption", svg.closest("figure")).textContent = outcomes;
  }

  function draw(run) {
    const pairs = data.queries
      .map((_, n) => ({ n, before: scores[0][data.baseline][n], after: scores[0][run][n] }))
      .filter(({ before, after }) => before !== null && after !== null)
      .map((each) => ({ ...each, change: each.after - each.before }));
    drawSlope(find(".slope"), pairs, run);
    drawGains(find(".gains"), pairs, run);
  }
  if (data.charts) draw(data.chosen);

  // Another run in place of the best, in the charts and in the table.
  function fillTable(run) {
    const start = 1 + data.labels;
    for (const button of all("th.after button", table)) {
      button.textContent = data.charts[run].column;
      button.title = data.runs[run];
    }
    for (const row of body.rows) {
      const n = row.dataset.q;
      scores.forEach((known, metric) => {
        const [before, after] = [known[data.baseline][n], known[run][n]];
        const change = before === null || after === null ? null : after - before;
        const [score, difference] = [row.cells[start + 3 * metric + 1], row.cells[start + 3 * metric + 2]];
        score.textContent = after === null ? "–" : show(after, data.digits[metric]);
        difference.textContent = change === null ? "–" : sign(change, data.digits[metric]);
        difference.className = tone(change).replace("tie", "");
      });
    }
    const column = headings.findIndex((each) => each.getAttribute("aria-sort") !== "none");
    if (column >= 0) sort(column, headings[column].getAttribute("aria-sort"));
  }
  const choice = document.getElementById("choice");
  if (choice) {
    choice.closest("label").hidden = false;
    choice.addEventListener("change", () => {
      find("#comparison .chosen").textContent = data.runs[choice.value];
      draw(choice.value);
      fillTable(choice.value);
    });
  }

  // On paper the tables of other metrics are open.
  const folded = all(".overview details, .segmented details, .documents details");
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = folded.filter((each) => !each.open);
    opened.forEach((each) => { each.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((each) => { each.open = false; }));
})();
