import type { XmlElement, XmlHandler } from '@atrium/platform/tabular';
import { htmlAttribute, htmlText } from '../html/html-pieces';
import { OdfList } from './odf-list';
import { ListNumbers } from './odf-numbers';
import { isLeftOut, type Setting } from './odf-shown';

/** Drawings, whose text is behind the paragraph that they are anchored in. */
const DRAWN = new Set(
  'frame custom-shape rect ellipse circle line polyline polygon path connector measure caption g regular-polygon'.split(' '),
);
/** In these, `title` is a field that shows the title of the document, and no words for those who do not see a picture. */
const OF_TEXT = new Set(['p', 'h', 'span', 'a', 'ruby-base', 'meta', 'meta-field']);
const FILE_NAME = /^\S+\.(?:png|jpe?g|gif|bmp|svg|tiff?|webp|emf|wmf)$/i;
/** Columns or rows that a cell may cover. */
const WIDEST = 1_000;

/** Where what is read goes, until its element ends. */
interface Target {
  html: string;
  /** Drawings of the paragraph that is open, which follow it; undefined outside of paragraphs. */
  behind: string | undefined;
}

/**
 * Text of an OpenDocument part as HTML: headings and lists with their numbers, tables, notes, links and the words of pictures.
 * What was deleted, hidden or noted beside the text is left out.
 */
export class OdfText implements XmlHandler {
  /** Something was left out because of the length. */
  full = false;
  private readonly ends: (() => void)[] = [];
  private readonly names: string[] = [];
  private readonly targets: Target[] = [{ html: '', behind: undefined }];
  private readonly headings = new ListNumbers();
  private readonly lists: OdfList[] = [];
  private readonly notes: string[] = [];
  private readonly descriptions: { desc: string; title: string }[] = [];
  private readonly numbersOfLists = new Map<string, ListNumbers>();
  private captured: string | undefined;
  private noteCount = 0;
  private length = 0;
  private leaving = 0;
  /** A field hides the paragraph it is in. */
  private isHidden = false;

  constructor(
    private readonly setting: Setting,
    private readonly most: number,
  ) {}

  /** What was read, with the notes at its end. */
  get html(): string {
    return this.target.html + (this.notes.length > 0 ? `<ol>${this.notes.join('')}</ol>` : '');
  }

  open(element: XmlElement): void {
    if (this.leaving > 0 || isLeftOut(element, this.setting)) {
      this.leaving++;
      return;
    }
    const end = this.begin(element);
    this.names.push(element.name);
    this.ends.push(end);
  }

  text(text: string): void {
    if (this.leaving > 0) this.setting.words.leaveOut(text);
    else if (this.captured !== undefined) this.captured += text;
    else if (this.target.behind !== undefined) this.addText(text);
  }

  close(): void {
    if (this.leaving > 0) {
      this.leaving--;
      return;
    }
    this.names.pop();
    this.ends.pop()?.();
  }

  private get target(): Target {
    return this.targets.at(-1) ?? { html: '', behind: undefined };
  }

  private add(html: string): void {
    this.length += html.length;
    if (this.length > this.most) this.full = true;
    else this.target.html += html;
  }

  private addText(text: string): void {
    const kept = text.slice(0, Math.max(0, this.most - this.length));
    if (kept.length < text.length) this.full = true;
    this.length += kept.length;
    this.target.html += htmlText(kept);
  }

  private begin(element: XmlElement): () => void {
    if (DRAWN.has(element.name)) return this.drawing();
    switch (element.name) {
      case 'p':
        return this.paragraph(this.setting.styles.isTitle(element.attribute('style-name')) ? 'h1' : 'p');
      case 'h':
        return this.heading(element);
      case 'list':
        return this.list(element);
      case 'list-item':
      case 'list-header':
        return this.item(element);
      case 'table':
        return this.block('<table>', '</table>');
      case 'table-row':
        return this.wrapped('<tr>', '</tr>');
      case 'table-cell':
        return this.block(`<td${span(element, 'columns', 'colspan')}${span(element, 'rows', 'rowspan')}>`, '</td>');
      case 'note':
        return this.note();
      case 'note-body':
        return this.noteBody();
      default:
        return this.inline(element);
    }
  }

  private inline(element: XmlElement): () => void {
    switch (element.name) {
      case 'a':
        return this.wrapped(`<a href="${htmlAttribute(element.attribute('href') ?? '')}">`, '</a>');
      case 'span': {
        const shift = this.setting.styles.shiftOf(element.attribute('style-name'));
        return shift === undefined ? nothing : this.wrapped(`<${shift}>`, `</${shift}>`);
      }
      case 'line-break':
        return this.wrapped('<br>', '');
      case 's':
      case 'tab':
        return this.wrapped(' ', '');
      case 'ruby-text':
        return this.wrapped(' (', ')');
      case 'hidden-paragraph':
        this.isHidden ||= element.attribute('is-hidden') === 'true';
        return nothing;
      case 'desc':
      case 'title':
        return OF_TEXT.has(this.names.at(-1) ?? '') ? nothing : this.description(element.name);
      default:
        return nothing;
    }
  }

  private wrapped(before: string, behind: string): () => void {
    if (before !== '') this.add(before);
    return behind === '' ? nothing : () => this.add(behind);
  }

  /** What may hold paragraphs, also where it is inside of one. */
  private block(before: string, behind: string): () => void {
    this.add(before);
    this.targets.push({ html: '', behind: undefined });
    return () => {
      const { html } = this.target;
      this.targets.pop();
      this.target.html += html;
      this.add(behind);
    };
  }

  private paragraph(tag: string, label = this.lists.at(-1)?.takeLabel() ?? ''): () => void {
    const { target } = this;
    const outer = target.behind;
    const start = target.html.length;
    target.behind = '';
    this.add(`<${tag}>${label === '' ? '' : `${htmlText(label)} `}`);
    return () => {
      this.add(`</${tag}>`);
      if (this.isHidden) this.hide(target, start);
      else target.html += target.behind ?? '';
      this.isHidden = false;
      target.behind = outer;
    };
  }

  private hide(target: Target, start: number): void {
    this.setting.words.leaveOut(target.html.slice(start).replace(/<[^<>]*>/g, ' '));
    target.html = target.html.slice(0, start);
  }

  private heading(element: XmlElement): () => void {
    const level = Math.max(1, Math.min(10, Number(element.attribute('outline-level') ?? 1) || 1));
    const tag = `h${Math.min(6, level)}`;
    const list = this.lists.at(-1);
    if (list) return this.paragraph(tag, list.takeHeading());
    const format = this.setting.styles.outlineLevel(level);
    if (!format || element.attribute('is-list-header') === 'true') return this.paragraph(tag);
    this.headings.next(level, format);
    return this.paragraph(
      tag,
      this.headings.label(level, (at) => this.setting.styles.outlineLevel(at)),
    );
  }

  private list(element: XmlElement): () => void {
    const outer = this.lists.at(-1);
    const style = element.attribute('style-name') ?? outer?.style;
    const list = new OdfList({
      style,
      level: (outer?.level ?? 0) + 1,
      numbers: outer?.numbersFor(style) ?? this.numbersOf(element, style),
      styles: this.setting.styles,
    });
    outer?.beginInner();
    this.lists.push(list);
    return () => {
      this.lists.pop();
      this.target.html += list.html;
      if (list.holdsHeading) outer?.noteHeading();
    };
  }

  /** Numbers go on where a list continues the one before it, or the one it names. */
  private numbersOf(element: XmlElement, style: string | undefined): ListNumbers {
    const named = element.attribute('continue-list');
    const goesOn = element.attribute('continue-numbering') === 'true';
    const before = named === undefined ? undefined : this.numbersOfLists.get(`#${named}`);
    const numbers = before ?? (goesOn ? this.numbersOfLists.get(style ?? '') : undefined) ?? new ListNumbers();
    this.numbersOfLists.set(style ?? '', numbers);
    const id = element.attribute('id');
    if (id !== undefined) this.numbersOfLists.set(`#${id}`, numbers);
    return numbers;
  }

  private item(element: XmlElement): () => void {
    const list = this.lists.at(-1);
    if (!list) return nothing;
    list.beginItem(element.name === 'list-item', Number(element.attribute('start-value') ?? NaN));
    this.targets.push({ html: '', behind: undefined });
    return () => {
      const { html } = this.target;
      this.targets.pop();
      list.endItem(html);
    };
  }

  private drawing(): () => void {
    const isAnchored = this.target.behind !== undefined;
    this.descriptions.push({ desc: '', title: '' });
    this.targets.push({ html: '', behind: undefined });
    return () => {
      const { html } = this.target;
      this.targets.pop();
      const { desc, title } = this.descriptions.pop() ?? { desc: '', title: '' };
      const words = (desc.trim() || title.trim()).replace(FILE_NAME, '');
      // One of them is enough, and names of files say nothing.
      this.setting.words.leaveOut(words === '' ? `${desc} ${title}` : desc.trim() ? title : '');
      if (words !== '') this.add(`<img src="" alt="${htmlAttribute(words)}">`);
      if (isAnchored) this.target.behind = `${this.target.behind ?? ''}${html}`;
      else this.target.html += html;
    };
  }

  private description(kind: 'desc' | 'title'): () => void {
    this.captured = '';
    return () => {
      const drawn = this.descriptions.at(-1);
      if (drawn) drawn[kind] = this.captured ?? '';
      this.captured = undefined;
    };
  }

  private note(): () => void {
    this.noteCount++;
    return this.wrapped(`<a href="#footnote-${this.noteCount}">[${this.noteCount}]</a>`, '');
  }

  private noteBody(): () => void {
    const number = this.noteCount;
    this.targets.push({ html: '', behind: undefined });
    return () => {
      this.notes.push(`<li id="footnote-${number}">${this.target.html}</li>`);
      this.targets.pop();
    };
  }
}

const nothing = (): void => undefined;

function span(element: XmlElement, of: 'columns' | 'rows', attribute: string): string {
  const count = Math.min(WIDEST, Number(element.attribute(`number-${of}-spanned`) ?? 1) || 1);
  return count > 1 ? ` ${attribute}="${count}"` : '';
}
