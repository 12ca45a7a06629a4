"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const find = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const text = (parent, selector, value) => { find(selector, parent).textContent = value; };

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

  // Names of dots, and of lines in the legend.
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  document.body.append(tip);
  for (const strip of data.queries ? all(".strip[data-run]") : []) {
    const svg = find("svg", strip);
    const scores = data.scores[0][strip.dataset.run];
    const { low, high } = strip.closest("figure").dataset;
    find("title", svg).remove(); // which would lie upon ours; the label says the same
    svg.addEventListener("pointermove", (event) => {
      const place = svg.getBoundingClientRect();
      const value = +low + (event.clientX - place.left) / place.width * (high - low);
      let nearest = 0;
      const away = (n) => scores[n] === null ? Infinity : Math.abs(scores[n] - value);
      scores.forEach((_, n) => { if (away(n) < away(nearest)) nearest = n; });
      tip.hidden = away(nearest) > (high - low) * 8 / place.width;
      if (tip.hidden) return;
      const same = scores.filter((score) => score === scores[nearest]).length - 1;
      tip.textContent = `${data.queries[nearest]}${same ? ` and ${same} more` : ""}: ${+scores[nearest].toFixed(4)}`;
      tip.style.left = `${Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)}px`;
      tip.style.top = `${event.clientY - 34}px`;
    });
    svg.addEventListener("pointerleave", () => { tip.hidden = true; });
  }
  const legend = all(".legend li");
  for (const item of legend) {
    const mark = (pale) => all(".lines .line, .legend li").forEach((each) => {
      each.classList.toggle("pale", pale && !each.classList.contains(item.classList[0]));
    });
    item.addEventListener("pointerenter", () => mark(true));
    item.addEventListener("pointerleave", () => mark(false));
  }

  // Another run in place of the best: the charts and the table as slopes.py, charts.py and queries.py draw them.
  const choice = document.getElementById("choice");
  const svgElement = (name, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== "") made.setAttribute(key, typeof value === "number" ? trim(value) : value);
    }
    made.append(...children);
    return made;
  };
  const trim = (x) => String(+x.toFixed(1) || 0);
  const show = (x, digits) => x.toFixed(digits);
  const minus = (written) => written.replace("-", "−");
  const sign = (x, digits) => +x.toFixed(digits) ? (x > 0 ? "+" : "") + minus(x.toFixed(digits)) : (0).toFixed(digits);
  const tone = (x) => x > 1e-9 ? "up" : x < -1e-9 ? "down" : "tie";
  const title = (content) => svgElement("title", {}, content);
  const pair = (metric, run) => data.queries
    .map((_, n) => [n, data.scores[metric][data.baseline][n], data.scores[metric][run][n]])
    .filter(([, before, after]) => before !== null && after !== null);

  function drawSlope(svg, pairs, run) {
    const [low, high, right] = data.slope;
    const digits = data.digits[0];
    const y = (value) => 34 + 234 * (high - value) / (high - low);
    const named = new Map(data.named[run]);
    const ordered = [...pairs].sort((a, b) => Math.abs(b[2] - b[1]) - Math.abs(a[2] - a[1]) || a[0] - b[0]);
    const marks = ordered.slice(0, 150).reverse().map(([n, before, after]) => svgElement("g",
      { class: tone(after - before) + (named.has(n) ? " most" : "") },
      title(`${data.queries[n]}: ${show(before, digits)} → ${show(after, digits)}`),
      svgElement("path", { d: `M44 ${trim(y(before))}L${right} ${trim(y(after))}` })));
    const moved = new Map(pairs.map(([n, before, after]) => [n, after - before]));
    const labels = data.named[run].flatMap(([n, place]) => [
      svgElement("path", { d: `M${right + 3} ${trim(y(data.scores[0][run][n]))}L${right + 14} ${trim(place)}`, class: "leader" }),
      svgElement("text", { x: right + 18, y: place + 4, class: "ink" }, `${data.short[n] ?? data.queries[n]} `,
        svgElement("tspan", { class: tone(moved.get(n)) }, sign(moved.get(n), Math.min(digits, 2)))),
    ]);
    find(".marks", svg).replaceChildren(...marks, ...labels);
    find(".after", svg).replaceChildren(title(data.runs[run]), data.heads[run]);
    svg.setAttribute("aria-label", `Scores of queries, from ${data.runs[data.baseline]} to ${data.runs[run]}`);
  }

  function drawGains(svg, pairs, run) {
    const ticks = data.gains[run];
    const [low, high] = [ticks[0], ticks.at(-1)];
    const y = (value) => 268 - 256 * (value - low) / (high - low);
    find(".ticks", svg).replaceChildren(...ticks.flatMap((tick) => [
      svgElement("line", { class: tick ? "grid" : "zero", x1: 48, x2: 440, y1: y(tick), y2: y(tick) }),
      svgElement("text", { x: 40, y: y(tick) + 4, "text-anchor": "end" },
        tick ? (tick > 0 ? "+" : "") + minus(String(tick)) : "0"),
    ]));
    const step = 388 / Math.max(pairs.length, 1);
    const width = Math.min(step * .78, 30);
    const ordered = [...pairs].sort((a, b) => a[1] - a[2] - b[1] + b[2] || a[0] - b[0]);
    find(".marks", svg).replaceChildren(...ordered.map(([n, before, after], place) => {
      const change = after - before;
      const isTie = tone(change) === "tie";
      return svgElement("rect", {
        class: tone(change), x: 52 + step * place + (step - width) / 2, y: isTie ? y(0) - 1 : Math.min(y(0), y(change)),
        width, height: isTie ? 2 : Math.max(Math.abs(y(0) - y(change)), 1),
      }, title(`${data.queries[n]}: ${sign(change, data.digits[0])}`));
    }));
    const count = (kind) => pairs.filter(([, before, after]) => tone(after - before) === kind).length;
    const words = [["up", "gain", "gains"], ["tie", "tie", "ties"], ["down", "loss", "losses"]];
    text(svg.closest("figure"), ".caption", words.map(([kind, one, many]) => {
      const counted = count(kind);
      return `${counted} ${counted === 1 ? one : many}`;
    }).join(", "));
  }

  function fillTable(run) {
    const start = 1 + data.labels;
    for (const heading of all("th.after button", table)) {
      heading.textContent = data.columns[run];
      heading.title = data.runs[run];
    }
    for (const row of body.rows) {
      const n = row.dataset.q;
      data.scores.forEach((scores, metric) => {
        const [before, after] = [scores[data.baseline][n], scores[run][n]];
        const known = before !== null && after !== null;
        const [score, difference] = [row.cells[start + 3 * metric + 1], row.cells[start + 3 * metric + 2]];
        score.textContent = after === null ? "–" : show(after, data.digits[metric]);
        difference.textContent = known ? sign(after - before, data.digits[metric]) : "–";
        difference.className = known && tone(after - before) !== "tie" ? tone(after - before) : "";
      });
    }
    const column = headings.findIndex((each) => each.getAttribute("aria-sort") !== "none");
    if (column >= 0) sort(column, headings[column].getAttribute("aria-sort"));
  }

  if (choice) {
    choice.closest("label").hidden = false;
    choice.addEventListener("change", () => {
      const run = Number(choice.value);
      const pairs = pair(0, run);
      text(document, "#comparison .chosen", data.runs[run]);
      drawSlope(find(".slope"), pairs, run);
      drawGains(find(".gains"), pairs, run);
      fillTable(run);
    });
  }

  // On paper the tables of other metrics are open.
  const folded = all(".overview details, .segmented details");
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = folded.filter((each) => !each.open);
    opened.forEach((each) => { each.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((each) => { each.open = false; }));
})();
