// Asks the vendored KaTeX itself which commands it can typeset and how many arguments each takes; the answers are
// committed as itembank/domain/katex_commands.json, so that the server can tell an author what no browser could typeset.
//   node bin/katex-commands.js > itembank/domain/katex_commands.json

const OPTIONS = { throwOnError: true, strict: "ignore", trust: false, maxExpand: 1000, maxSize: 20, output: "htmlAndMathml" };
const LEFT_OUT = ["over", "choose", "atop", "above", "brace", "brack"]; // infix

function measured(katex, source) {
  const renders = (latex) => {
    try { katex.renderToString(latex, OPTIONS); return true; } catch { return false; }
  };
  const names = [...new Set([...source.matchAll(/\\\\([A-Za-z]{1,30})/g)].map((match) => match[1]))].sort();
  const taking = (wrap) => {
    const found = {};
    for (const name of names) {
      if (LEFT_OUT.includes(name)) continue;
      const count = [0, 1, 2, 3].find((n) => renders(wrap(`\\${name} ${"{a}".repeat(n)}`)));
      if (count !== undefined) (found[count] ??= []).push(name);
    }
    return found;
  };
  const math = taking((latex) => latex);
  const known = new Set(Object.values(math).flat());
  const one = math[1] ?? [];
  return {
    katex: katex.version,
    math,
    text: taking((latex) => `\\text{${latex}}`),
    text_argument: one.filter((name) => !renders(`\\${name}{a_b}`)),
    alone: [...known].filter((name) => renders(`\\sqrt\\${name}`) && renders(`x^\\${name}`)).sort(),
    limits: [...known].filter((name) => renders(`\\${name}\\limits`)).sort(),
    delimiters: names.filter((name) => renders(`\\left\\${name} a\\right.`)),
    sized: names.filter((name) => renders(`\\${name}(`) && !renders(`\\${name}{a}`) && !renders(`\\${name} `)),
    environments: [...new Set([...source.matchAll(/"([a-zA-Z]{3,20}\*?)"/g)].map((match) => match[1]))]
      .filter((name) => renders(`\\begin{${name}}a&b\\\\c&d\\end{${name}}`)).sort(),
    narrow: [...new Set([...source.matchAll(/"([a-zA-Z]{3,20}\*?)"/g)].map((match) => match[1]))]
      .filter((name) => !renders(`\\begin{${name}}a&b\\end{${name}}`) && renders(`\\begin{${name}}a\\\\b\\end{${name}}`)).sort(),
  };
}

if (typeof module !== "undefined" && require.main === module) {
  console.log = () => {}; // some commands write to it
  const path = require("node:path").join(__dirname, "../static/vendor/katex/katex.min.js");
  const table = measured(require(path), require("node:fs").readFileSync(path, "utf-8"));
  process.stdout.write(`${JSON.stringify(table)}\n`);
}
