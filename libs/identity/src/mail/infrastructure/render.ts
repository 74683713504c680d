import type { MailOrder } from '../domain/mailer';
import { phraseOf, textOf } from './texts';

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

// Control and separator characters that would end a header or a line.
const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const MAX_SUBJECT = 200;
/** Variables whose values are words of a closed list; all others are names and texts of people. */
const WORDED: ReadonlySet<string> = new Set(['reason', 'what']);

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

/** One mail as text and as HTML, both from the same sentences; no variable can break a line, a header or the markup. */
export function renderMail({ template, vars, locale }: Pick<MailOrder, 'template' | 'vars' | 'locale'>): RenderedMail {
  const { subject, lines, action, note } = textOf(template, locale);
  const known = new Map(
    Object.entries(vars).map(([name, value]) => [name, (WORDED.has(name) ? phraseOf(value, locale) : value).replace(BREAKS, ' ')]),
  );
  const fill = (sentence: string): string => sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => known.get(name) ?? '');
  const sentences = lines
    .flatMap((sentence) => (typeof sentence === 'string' ? sentence : known.get(sentence.given) ? sentence.line : []))
    .map(fill)
    .filter((sentence) => sentence !== '');
  const link = action && fill(action.link);
  const text = [...sentences, ...(link ? [`${action.label}: ${link}`] : []), fill(note)].join('\n\n');
  const paragraphs = [
    ...sentences.map((line) => `<p>${escaped(line)}</p>`),
    ...(link
      ? [
          `<p><a href="${escaped(link)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none">${escaped(action.label)}</a></p><p style="color:#555555;font-size:13px">${escaped(link)}</p>`,
        ]
      : []),
    `<p style="color:#555555;font-size:13px">${escaped(fill(note))}</p>`,
  ];
  const title = fill(subject).slice(0, MAX_SUBJECT);
  return {
    subject: title,
    text: `${text}\n`,
    html: `<!doctype html><html lang="${escaped(locale)}"><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body style="font-family:sans-serif;line-height:1.5;color:#1a1a1a;max-width:560px;margin:24px auto">${paragraphs.join('')}</body></html>`,
  };
}
