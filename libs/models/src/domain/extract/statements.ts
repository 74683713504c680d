import { isLabelled, sentencesOf } from './sentences';

/** A sentence, a line or a row of a table, and what is above it and says what it is about. */
export interface Statement {
  /** As the text has it, in one line, without the mark of its list. */
  readonly text: string;
  /** What it belongs to most closely: the heading above it, the question that it answers, the head of its table. */
  readonly near: readonly string[];
  /** Headings above that one, and the subject of a letter. */
  readonly far: readonly string[];
  /** It answers a question of the text, or is an entry of a list or a table: it may be as short as it likes. */
  readonly isEntry: boolean;
  readonly answersQuestion: boolean;
}

const ROW = /^\||\s\|\s/;
const RULE = /^[|\s:=_-]+$/;
const LIST = /^(?:[-*+•]\s+|\|\s*|>\s+)/;
const NUMBERED = /^(?:TOP\s)?\d{1,3}[.)]?\s+\p{L}/iu;
const ANSWER = /^(?:\*\*)?(?:A|R|О|答|Answer|Antwort|Respuesta|Réponse|Ответ)\s?[:：](?:\*\*)?\s?/u;
const ASKS = /[?？]["”»*_\s]*$/u;
const ENDS = /[.!。！;；]["”»*_)\s]*$/u;
const OPENS = /[:：]\s*$/u;
const SUBJECT = /^(?:Subject|Re|Betreff|Asunto|Objet|Тема|主题)\s?[:：]/iu;
/** Longest line that may be a heading without a mark of one. */
const [SHORT, FEW_WORDS] = [60, 9];
const MOST_INDENT = 12;
/** What is about many sentences is read for each of them: nobody heads them with more. */
const MOST_ABOVE = 300;
const HEADING = /^(#{1,6})\s(.*)$/;

/** What is above the sentence that is read. */
class SentenceContext {
  private readonly headings: { readonly level: number; readonly text: string }[] = [];
  private subject: string | null = null;
  /** A line that heads those below it, up to the next empty line or, where one follows it at once, up to the next of its kind. */
  line: { readonly text: string; readonly stays: boolean } | null = null;
  question: string | null = null;
  private isAnswered = false;
  head: string | null = null;

  /** What is between two sentences: headings, empty lines, rules. */
  pass(gap: string): void {
    if (gap === '') return;
    const lines = gap.split('\n');
    if (lines.length > 2 && lines.slice(1, -1).some((line) => line.trim() === '')) this.part();
    for (const line of lines) {
      const [, marks, text] = HEADING.exec(line.trim()) ?? [];
      if (marks !== undefined) this.enter(marks.length, (text ?? '').trim());
    }
  }

  enter(level: number, text: string): void {
    while ((this.headings.at(-1)?.level ?? 0) >= level) this.headings.pop();
    this.headings.push({ level, text });
    this.line = this.question = this.head = null;
  }

  ask(question: string): void {
    this.question = question;
    this.isAnswered = false;
  }

  concern(subject: string): void {
    this.subject ??= subject;
  }

  stated(text: string, isEntry: boolean): Statement {
    this.isAnswered = true;
    const { line, question, head, subject, headings } = this;
    const [last, ...others] = [...headings].reverse().map((heading) => heading.text);
    const closest = [question, line?.text, head, line === null && question === null ? last : null];
    return {
      text: text.replace(/\s+/g, ' '),
      near: texts(closest),
      far: texts([subject, ...(line === null && question === null ? [] : [last]), ...others]),
      isEntry: isEntry || question !== null,
      answersQuestion: question !== null,
    };
  }

  private part(): void {
    if (this.line?.stays === false) this.line = null;
    if (this.isAnswered) this.question = null;
    this.head = null;
  }
}

const texts = (given: readonly (string | null | undefined)[]): string[] =>
  given.flatMap((one) => (typeof one === 'string' ? [one.slice(0, MOST_ABOVE)] : []));

/** What a text says, sentence by sentence; headings, questions and heads of tables are what the rest is about. */
export function statementsOf(text: string): Statement[] {
  const sentences = sentencesOf(text);
  const above = new SentenceContext();
  let end = 0;
  return sentences.flatMap((sentence, at) => {
    above.pass(text.slice(end, sentence.start));
    end = sentence.end;
    const next = sentences[at + 1];
    const behind = text.slice(sentence.end, next?.start ?? text.length);
    return statementOf(sentence.text, { above, next: next?.text ?? '', behind, isLine: startsLine(text, sentence.start) });
  });
}

interface Place {
  readonly above: SentenceContext;
  readonly next: string;
  /** What follows up to the next sentence. */
  readonly behind: string;
  /** Whether the sentence begins its line. */
  readonly isLine: boolean;
}

function statementOf(text: string, { above, next, behind, isLine }: Place): Statement[] {
  if (RULE.test(text)) return [];
  const plain = text.replace(LIST, '');
  const isListed = plain !== text;
  if (isLine && ROW.test(text)) {
    if (RULE.test(next) && next.includes('-')) above.head = withoutBar(plain);
    else return [above.stated(withoutBar(plain), true)];
    return [];
  }
  if (ASKS.test(plain)) {
    above.ask(plain);
    return [];
  }
  if (SUBJECT.test(plain)) above.concern(plain.replace(SUBJECT, '').trim());
  const answer = above.question === null ? plain : plain.replace(ANSWER, '');
  const isAlone = isLine && behind.includes('\n');
  if (isAlone && isRule(behind.split('\n', 2)[1] ?? '')) {
    above.enter(1, plain);
    return [];
  }
  if (isAlone && !isListed && heads(plain, next, behind)) {
    above.line = { text: plain, stays: /\n[^\S\n]*\n/.test(behind) };
    return [];
  }
  return [above.stated(answer, isListed || isLabelled(plain) || answer !== plain)];
}

const withoutBar = (row: string): string => (row.endsWith('|') ? row.slice(0, -1).trimEnd() : row);

const isRule = (line: string): boolean => /^[=-]{2,}$/.test(line.trim());

/** Whether a short line without an end is above what it is about. */
function heads(line: string, next: string, behind: string): boolean {
  if (next === '' || HEADING.test(behind.trim())) return false;
  if (OPENS.test(line)) return true;
  if (ENDS.test(line) || line.endsWith(',') || line.length > SHORT || line.split(/\s+/).length > FEW_WORDS || isLabelled(line))
    return false;
  return isLabelled(next) || ENDS.test(next) || LIST.test(next) || NUMBERED.test(line) || ASKS.test(next);
}

/** Whether nothing but blanks is before it in its line. */
function startsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MOST_INDENT), at);
  return (at <= MOST_INDENT || before.includes('\n')) && before.slice(before.lastIndexOf('\n') + 1).trim() === '';
}
