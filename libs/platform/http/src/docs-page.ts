const STYLE = `body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#1c2530}
code{background:#eef1f5;padding:.1em .3em;border-radius:3px;font-size:.92em}pre{background:#f6f8fa;padding:.8rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere;border-radius:5px}pre code{background:none;padding:0;font-size:.86em}
h1{margin-bottom:0}h2{font-size:1.15rem;margin:1.8rem 0 0}h2+p{margin-top:.3rem}table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:.35rem .8rem .35rem 0}
.answer{color:#0b6b3a;font-weight:600}p,li,td{overflow-wrap:anywhere}
a{color:#0b61a4}.code{color:#5b6775}nav{font-size:.92em;margin-bottom:2rem}
@media(max-width:40rem){body{margin:1.2rem auto}td,th{padding-right:.5rem}th{overflow-wrap:anywhere}}`;

/** A page of the documentation; `content` is HTML. */
export const docsPage = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title} · Atrium</title><meta name="viewport" content="width=device-width, initial-scale=1">
<style>${STYLE}</style></head>
<body><nav><a href="/docs">API reference</a> · <a href="/guide">Guide</a> · <a href="/problems">Problems</a></nav>
${content}</body>
</html>`;
