import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { docsPage } from './docs-page';

/** Up from the module, or from the one script that holds it: the guide is beside the build. */
function guideFolder(): string | undefined {
  for (let at = __dirname; ; at = dirname(at)) {
    if (existsSync(join(at, 'docs/guide/README.md'))) return join(at, 'docs/guide');
    if (at === dirname(at)) return undefined;
  }
}

/** The pages of the guide by name, as HTML; `''` is the first. They are part of the release: nothing in them comes from outside. */
export class GuidePages {
  private readonly folder = guideFolder();
  private readonly made = new Map<string, string>();
  private readonly names = new Set(
    this.folder
      ? readdirSync(this.folder)
          .filter((file) => file.endsWith('.md'))
          .map((file) => (file === 'README.md' ? '' : file.slice(0, -'.md'.length)))
      : [],
  );
  private readonly marked = new Marked({
    gfm: true,
    renderer: { heading: headingWithAnchor, code: codeWithAnswers },
    walkTokens: leadsWithinTheGuide,
  });

  /** Undefined when there is no such page. */
  findPage(name: string): string | undefined {
    if (!this.folder || !this.names.has(name)) return undefined;
    const known = this.made.get(name) ?? this.render(readFileSync(join(this.folder, `${name || 'README'}.md`), 'utf8'));
    this.made.set(name, known);
    return known;
  }

  private render(markdown: string): string {
    const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Guide';
    return docsPage(title, this.marked.parse(markdown, { async: false }));
  }
}

/** Pages refer to one another as files, so that they also read well in the repository. */
function leadsWithinTheGuide(token: { type: string; href?: string }): void {
  if (token.type !== 'link' || !token.href) return;
  token.href = token.href.replace(/^(?:\.\/)?README\.md/, '/guide').replace(/^(?:\.\/)?([a-z0-9-]+)\.md/, '/guide/$1');
}

function headingWithAnchor(
  this: { parser: { parseInline(tokens: Tokens.Generic[]): string } },
  { depth, text, tokens }: Tokens.Heading,
): string {
  const anchor = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
}

const ANSWER = '# → ';

/** A block of code; what a command answers has a line of its own below it, for beside a long command it is out of view. */
function codeWithAnswers({ text, lang }: Tokens.Code): string {
  const lines = text.split('\n').map((line) => {
    const at = line.indexOf(ANSWER);
    if (at === -1) return escaped(line);
    return `${escaped(line.slice(0, at).trimEnd())}\n<span class="answer">${escaped(line.slice(at))}</span>`;
  });
  return `<pre><code class="language-${escaped(lang ?? 'text')}">${lines.join('\n')}\n</code></pre>\n`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
