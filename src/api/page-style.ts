/** The look of the reference pages: one column of text beside a list of contents, light or dark as the reader's system says. */

export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1d1b26; --paper: #fbfaf7; --quiet: #6b6776; --line: #e2dfd6; --mark: #b3261e; --code: #f1eee6; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9e6f0; --paper: #16141d; --quiet: #a09bad; --line: #34303f; --mark: #ff8a75; --code: #221f2b; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
header { display: flex; gap: 2rem; align-items: baseline; padding: 1rem 2rem; border-bottom: 1px solid var(--line); }
.brand { font: 700 1.3rem Georgia, serif; color: var(--mark); text-decoration: none; letter-spacing: .02em; }
nav a { margin-right: 1.2rem; color: var(--quiet); text-decoration: none; }
a { color: var(--mark); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
.page { display: grid; grid-template-columns: 16rem minmax(0, 54rem); gap: 2rem; padding: 1rem 2rem 6rem; }
aside ul { list-style: none; margin: 0; padding: 1.5rem 0 0; position: sticky; top: 0; font-size: .9rem; }
aside a { color: inherit; text-decoration: none; }
h1 { font: 700 2.2rem/1.2 Georgia, serif; }
h2 { margin-top: 3rem; font-family: Georgia, serif; }
h3 { margin-top: 2.5rem; }
.lead { font-size: 1.15rem; color: var(--quiet); }
.method { color: var(--mark); font-size: .85rem; letter-spacing: .08em; }
.facts, .status { color: var(--quiet); font-weight: 400; font-size: .95rem; }
.answer { margin-right: .6rem; white-space: nowrap; }
code { background: var(--code); padding: .1em .35em; border-radius: 4px; font: .9em ui-monospace, monospace; }
pre { background: var(--code); padding: 1rem; border-radius: 8px; overflow-x: auto; }
pre code { padding: 0; background: none; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .7rem .45rem 0; border-bottom: 1px solid var(--line); }
th { white-space: nowrap; }
td { overflow-wrap: break-word; }
td:first-child { white-space: nowrap; }
@media (max-width: 60rem) { .page { grid-template-columns: minmax(0, 1fr); } aside { display: none; } }
`;
