import { runAsJob, runInScope, SYSTEM_ACTOR } from '@atrium/platform/database';
import { Problem, SystemClock, TimeOrderedIds, type JsonObject } from '@atrium/platform/kernel';
import type { ReferenceKind } from '../domain/field';
import { referenceType } from '../domain/types/references';
import type { ContentPart, StoredPart } from './content-parts';
import { FormReferences, type ReferenceAsker, type ReferenceQuestion } from './form-references';
import { Forms } from './forms';

const scope = { tenant_id: null, actor: SYSTEM_ACTOR, request_id: 'r' };
const id = (at: number): string => `0190a8c4-0000-7000-8000-${String(at).padStart(12, '0')}`;
const FOREIGN = id(999);

/** Conditions that cost far more than what they are about. */
const COSTLY = Array.from({ length: 20 }, () => ({
  assert: '[1,2,3,4,5,6,7,8,9,10].all(x, [1,2,3,4,5,6,7,8,9,10].all(y, x * y < content.a))',
  message: 'No',
}));

/** A workspace of which everything is known but what is foreign. */
function house() {
  const references = new FormReferences();
  const asked: { readonly kind: ReferenceKind; readonly questions: readonly ReferenceQuestion[]; readonly asker: ReferenceAsker }[] = [];
  for (const kind of ['file', 'page', 'object'] as const)
    references.register(kind, {
      findMisfits: (questions, asker) => {
        asked.push({ kind, questions, asker });
        return Promise.resolve(questions.map((question) => (question.id === FOREIGN ? 'is not a page of this site.' : null)));
      },
    });
  const forms = new Forms(references, new SystemClock(), new TimeOrderedIds());
  forms.registerType('content', referenceType('page', 'page'));
  const compile = (fields: readonly JsonObject[], more: JsonObject = {}) =>
    forms.compileForm({ fields: fields.map((field) => ({ label: 'Field', ...field })), ...more }, { kind: 'content', at: 'tpl_config' });
  const hero = compile([
    { key: 'title', type: 'text', label: 'Title', required: true },
    { key: 'to', type: 'page', label: 'Target' },
    { key: 'image', type: 'file', label: 'Image' },
  ]);
  const text = compile([
    { key: 'body', type: 'long_text', label: 'Body', max_length: 10 },
    { key: 'to', type: 'page', label: 'Target' },
  ]);
  return { forms, asked, compile, hero, text };
}

const listed = (found: readonly { readonly path: string; readonly code: string }[] = []): string[] =>
  found.map(({ path, code }) => `${path} ${code}`);

describe('content in parts of different forms', () => {
  it('asks one question for each kind of references, within the scope of all parts', async () => {
    const { forms, asked, hero, text } = house();
    const parts: ContentPart[] = [
      { form: hero, content: { title: 'a', to: id(1), image: id(2) }, at: 'c[0]' },
      { form: text, content: { body: 'b', to: id(3) }, at: 'c[1]' },
      { form: hero, content: { title: 'c', to: FOREIGN, image: id(4) }, at: 'c[2]' },
      { form: hero, content: { title: 'd', to: id(5) }, previous: { title: 'x', to: id(5) }, at: 'c[3]' },
    ];
    const checked = await forms.validateEach(parts, null, { scope: { site: id(7) } });
    expect(checked.map(({ faults }) => listed(faults))).toEqual([[], [], ['c[2].to reference'], []]);
    expect(checked[2]?.faults[0]?.message).toBe('Target is not a page of this site.');
    expect(asked.map(({ kind, questions, asker }) => [kind, questions.map((question) => question.id), asker])).toEqual([
      ['page', [id(1), id(3), FOREIGN], { actor: null, scope: { site: id(7) } }],
      ['file', [id(2), id(4)], { actor: null, scope: { site: id(7) } }],
    ]);
    expect(checked[1]).toEqual({ content: { body: 'b', to: id(3) }, faults: [], issues: [] });
  });

  it('refuses what is missing, unless it may be incomplete', async () => {
    const { forms, hero } = house();
    const parts = [{ form: hero, content: {}, at: 'c[0]' }];
    expect(await forms.validateEach(parts, null)).toMatchObject([{ faults: [{ path: 'c[0].title', code: 'required' }], issues: [] }]);
    expect(await forms.validateEach(parts, null, { incomplete: true })).toEqual([
      { content: {}, faults: [], issues: [{ path: 'c[0].title', code: 'required', message: 'Title is required.' }] },
    ]);
  });

  it('replaces a part that is stored, and gives a new one its defaults', async () => {
    const { forms, compile } = house();
    const form = compile([
      { key: 'size', type: 'text', default: 'm' },
      { key: 'inner', type: 'text', hidden: true },
      { key: 'synced', type: 'text', read_only: true },
    ]);
    const previous = { size: 's', inner: 'i', old: 1 };
    const checked = await forms.validateEach(
      [
        { form, content: {}, at: 'a' },
        { form, content: {}, previous, at: 'b' },
        { form, content: { synced: 'x' }, at: 'c' },
      ],
      null,
    );
    expect(checked.slice(0, 2).map(({ content }) => content)).toEqual([{ size: 'm' }, { inner: 'i', old: 1 }]);
    expect(listed(checked[2]?.faults)).toEqual(['c.synced read_only']);
    const [trusted] = await forms.validateEach([{ form, content: { synced: 'x' }, at: 'c' }], null, { trusted: true });
    expect(trusted).toEqual({ content: { synced: 'x', size: 'm' }, faults: [], issues: [] });
  });

  it('has at most 2,000 parts and the one that they are in', async () => {
    const { forms, text } = house();
    const parts = (count: number) => Array.from({ length: count }, (_, at) => ({ form: text, content: {}, at: `c[${at}]` }));
    expect(await forms.validateEach(parts(2_001), null)).toHaveLength(2_001);
    await expect(forms.validateEach(parts(2_002), null)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'c[2001]', code: 'length' }],
    });
  });

  it('bounds the size of a part', async () => {
    const { forms, compile } = house();
    const form = compile([{ key: 'body', type: 'json' }]);
    const parts = [{ form, content: { body: 'x'.repeat(2_000) }, at: 'c' }];
    expect(listed((await forms.validateEach(parts, null, { mostBytes: 1_024 }))[0]?.faults)).toEqual(['c length']);
    expect((await forms.validateEach(parts, null, { mostBytes: 4_096 }))[0]?.faults).toEqual([]);
  });

  it('lists a bounded number of faults, and one at least of each part that has any', async () => {
    const { forms, compile } = house();
    const fields = Array.from({ length: 100 }, (_, at) => ({ key: `f${at}`, type: 'text', required: true }));
    const form = compile(fields);
    const parts = Array.from({ length: 500 }, (_, at) => ({ form, content: {}, at: `c[${at}]` }));
    const checked = await forms.validateEach(parts, null, { incomplete: true });
    expect(checked[9]?.issues).toHaveLength(100);
    expect(checked.slice(10).map(({ issues }) => issues.length)).toEqual(Array.from({ length: 490 }, () => 1));
  });

  it('spends from one effort for all parts: that of the request, or of one step of a job', async () => {
    const { forms, compile } = house();
    const form = compile([{ key: 'a', type: 'integer' }], { rules: COSTLY });
    const parts = (count: number) => Array.from({ length: count }, (_, at) => ({ form, content: { a: 1_000 }, at: `c[${at}]` }));
    const refusal = await runInScope(scope, () => forms.validateEach(parts(2_000), null)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Problem);
    expect(refusal).toMatchObject({ code: 'unprocessable_content' });
    expect((await runInScope(scope, () => forms.validateEach(parts(3), null))).every(({ faults }) => faults.length === 0)).toBe(true);
    const inJob = await runAsJob(scope, () => forms.validateEach(parts(2_000), null));
    expect(inJob[0]?.faults).toEqual([]);
    expect(listed(inJob.at(-1)?.faults)).toEqual(['c[1999] too_complex']);
  });

  it('lets other work have its turns', async () => {
    const { forms, compile } = house();
    const form = compile([{ key: 'body', type: 'rich_text' }]);
    const parts = Array.from({ length: 2_000 }, (_, at) => ({
      form,
      content: { body: 'a word and another, '.repeat(800) },
      at: `c[${at}]`,
    }));
    let others = 0;
    const timer = setInterval(() => others++, 1);
    await forms.validateEach(parts, null);
    clearInterval(timer);
    expect(others).toBeGreaterThan(0);
  });
});

describe('stored content in parts', () => {
  it('has as issues everything that its forms refuse by now, and asks after no reference', async () => {
    const { forms, asked, hero, text } = house();
    const parts: StoredPart[] = [
      { form: hero, content: { title: 'a', to: FOREIGN, gone: 1 }, at: 'c[0]' },
      { form: hero, content: { image: id(1) }, at: 'c[1]' },
      { form: text, content: { body: 'longer than it may be' }, at: 'c[2]' },
    ];
    expect((await forms.inspectEach(parts)).map(listed)).toEqual([[], ['c[1].title required'], ['c[2].body length']]);
    expect(asked).toEqual([]);
  });

  it('asks after every reference where it is published, those that were stored included', async () => {
    const { forms, asked, hero } = house();
    const parts = [{ form: hero, content: { title: 'a', to: FOREIGN, image: id(1) }, at: 'c[0]' }];
    const issues = await forms.inspectEach(parts, { actor: null, scope: { site: id(7) } });
    expect(issues).toEqual([[{ path: 'c[0].to', code: 'reference', message: 'Target is not a page of this site.' }]]);
    expect(asked.map(({ kind, asker }) => [kind, asker.scope])).toEqual([
      ['page', { site: id(7) }],
      ['file', { site: id(7) }],
    ]);
  });

  it('gets no defaults, keeps what only the service writes, and is read through the moves of its form', async () => {
    const { forms, compile } = house();
    const form = compile([
      { key: 'size', type: 'text', required: true, default: 'm' },
      { key: 'synced', type: 'text', read_only: true },
      { key: 'name', type: 'text', required: true },
    ]).withMoves([{ within: [], from: 'was', to: 'name', convert: null }]);
    const parts = [{ form, content: { synced: 's', was: 'x' }, at: 'c' }];
    expect((await forms.inspectEach(parts)).map(listed)).toEqual([['c.size required']]);
  });

  it('is read all the same where it costs too much to judge', async () => {
    const { forms, compile, text } = house();
    const form = compile([{ key: 'a', type: 'integer' }], { rules: COSTLY });
    const parts = [
      ...Array.from({ length: 1_999 }, (_, at) => ({ form, content: { a: 1_000 }, at: `c[${at}]` })),
      { form: text, content: { body: 'longer than it may be' }, at: 'c[1999]' },
    ];
    const issues = await runInScope(scope, () => forms.inspectEach(parts));
    expect(issues[0]).toEqual([]);
    expect(listed(issues[1_998])).toEqual(['c[1998] too_complex']);
    expect(listed(issues[1_999])).toEqual(['c[1999].body length']);
  });
});
