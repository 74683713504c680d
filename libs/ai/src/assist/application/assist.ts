import { Injectable } from '@nestjs/common';
import { jsonSchemaAt, sentencesOf, TextModels, VisionModel } from '@atrium/models';
import type { Principal } from '@atrium/platform/access';
import { invalidField, isObject, Problem, type JsonObject } from '@atrium/platform/kernel';
import { ASSIST_TASKS, TASK_FACTS, type AssistTask, type AssistTaskFacts } from '../domain/assist-task';
import { shortenedPhrase } from './key-phrases';
import { changedMarkup } from '../domain/kept-markup';
import { applyEdits, locateEdits, type Edit } from '../domain/proofread';
import { AltTexts, BUILT_IN } from './alt-texts';
import { AssistModel, type Said, type AssistRequest } from './assist-model';
import { extractOrder, keywordsOrder, proofreadOrder, rewriteOrder, summarizeOrder, titleOrder, translateOrder } from './assist-orders';
import type { AssistInputs, AssistResults, Assisted } from './assist-tasks';
import { AssistText, type GivenText } from './assist-text';
import { BuiltInAssist } from './built-in-assist';

type Answer<T extends AssistTask> = Assisted<AssistResults[T]>;

/** A task with what the models at hand can do of it. */
export interface OfferedTask extends Omit<AssistTaskFacts, 'built_in'> {
  readonly available: boolean;
  readonly model_id: string | null;
  /** What the model leaves out; null: nothing. */
  readonly limits: string | null;
}

/** A text that is worked on, and who works on it. */
interface Work extends GivenText {
  readonly sitting: AssistRequest;
  readonly isBuiltIn: boolean;
}

const USUAL_TITLE = 60;
const MOST_TITLES = 3;
const USUAL_KEYWORDS = 10;

/** Short assistance with a text: by a model that writes, or by rules where only the built-in one is there. */
@Injectable()
export class Assist {
  constructor(
    private readonly models: TextModels,
    private readonly vision: VisionModel,
    private readonly model: AssistModel,
    private readonly texts: AssistText,
    private readonly images: AltTexts,
    private readonly plain: BuiltInAssist,
  ) {}

  /** All tasks, as they are available with the models of the workspace. */
  async listTasks(): Promise<OfferedTask[]> {
    const [{ model, isBuiltIn }, seeing] = await Promise.all([this.models.resolveModel(), this.vision.findModelId()]);
    return ASSIST_TASKS.map((task) => {
      const { built_in, ...facts } = TASK_FACTS[task];
      const writes = task === 'alt-text' ? seeing : isBuiltIn ? null : model.model_id;
      // Descriptions by facts are the same whichever provider has the built-in model.
      const quoting = task === 'alt-text' ? BUILT_IN : model.model_id;
      const available = writes !== null || built_in !== null;
      return {
        task,
        ...facts,
        available,
        model_id: writes ?? (available ? quoting : null),
        limits: writes === null ? built_in : null,
      };
    });
  }

  /** The task by its name, for contexts that offer several. */
  runTask<T extends AssistTask>(caller: Principal, task: T, input: AssistInputs[T]): Promise<Answer<T>> {
    const tasks: { readonly [K in AssistTask]: (input: AssistInputs[K]) => Promise<Answer<K>> } = {
      rewrite: (wish) => this.rewriteText(caller, wish),
      proofread: (wish) => this.proofreadText(caller, wish),
      translate: (wish) => this.translateText(caller, wish),
      summarize: (wish) => this.summarizeText(caller, wish),
      title: (wish) => this.suggestTitle(caller, wish),
      keywords: (wish) => this.suggestKeywords(caller, wish),
      'alt-text': (wish) => this.images.describeImage(caller, wish),
      extract: (wish) => this.extractFields(caller, wish),
    };
    return tasks[task](input);
  }

  async rewriteText(caller: Principal, wish: AssistInputs['rewrite']): Promise<Answer<'rewrite'>> {
    const work = await this.begin(caller, 'rewrite', wish);
    const said = await this.ask(work, rewriteOrder(wish));
    const text = textIn(said);
    return answered(work, said.usage, [{ text, changed: changedIn(text, work.text) }]);
  }

  async proofreadText(caller: Principal, wish: AssistInputs['proofread']): Promise<Answer<'proofread'>> {
    const work = await this.begin(caller, 'proofread', wish);
    if (work.isBuiltIn) return this.builtIn('proofread', work, [await this.plain.runTask('proofread', work.text)]);
    const said = await this.ask(work, proofreadOrder());
    const edits = locateEdits(work.text, listIn(said.data.edits).filter(isNamedEdit));
    return answered(work, said.usage, [{ text: applyEdits(work.text, edits), edits }]);
  }

  /** Once more where the translation lost a placeholder or a tag; then it is refused. */
  async translateText(caller: Principal, wish: AssistInputs['translate']): Promise<Answer<'translate'>> {
    const work = await this.begin(caller, 'translate', wish);
    const first = await this.ask(work, translateOrder(wish));
    const lost = wish.keep_markup === false ? [] : changedMarkup(work.text, textIn(first));
    if (lost.length === 0) return answered(work, first.usage, [{ text: textIn(first) }]);
    const second = await this.ask(work, translateOrder({ ...wish, lost }), 2);
    const still = changedMarkup(work.text, textIn(second));
    if (still.length > 0)
      throw new Problem('unprocessable_content', `The model repeatedly changed ${still.slice(0, 5).join(', ')} in the translation.`);
    return answered(work, second.usage, [{ text: textIn(second) }]);
  }

  async summarizeText(caller: Principal, wish: AssistInputs['summarize']): Promise<Answer<'summarize'>> {
    const { length = 'medium', style = 'prose' } = wish;
    const work = await this.begin(caller, 'summarize', wish);
    if (work.isBuiltIn) {
      const { limits, ...summary } = await this.plain.runTask('summarize', work.text, length, style);
      return this.builtIn('summarize', work, [summary], limits);
    }
    const said = await this.ask(work, summarizeOrder({ ...wish, length, style }));
    return answered(work, said.usage, [{ text: textIn(said), sentences: [] }]);
  }

  async suggestTitle(caller: Principal, wish: AssistInputs['title']): Promise<Answer<'title'>> {
    const { max = USUAL_TITLE } = wish;
    const work = await this.begin(caller, 'title', wish);
    if (work.isBuiltIn) {
      const title = await this.plain.runTask('title', work.text, max);
      if (title === null) throw new Problem('unprocessable_content', 'The text contains no phrase that is suitable as a title.');
      return this.builtIn('title', work, [{ text: title }]);
    }
    const said = await this.ask(work, titleOrder({ ...wish, max }));
    const titles = (said.data.titles as readonly string[])
      .map((title) => shortenedPhrase(title.trim(), max))
      .filter((title) => title !== '');
    return answered(
      work,
      said.usage,
      [...new Set(titles)].slice(0, MOST_TITLES).map((text) => ({ text })),
    );
  }

  async suggestKeywords(caller: Principal, wish: AssistInputs['keywords']): Promise<Answer<'keywords'>> {
    const { max = USUAL_KEYWORDS, allowed } = wish;
    const work = await this.begin(caller, 'keywords', wish);
    if (work.isBuiltIn) return this.builtIn('keywords', work, await this.plain.runTask('keywords', work.text, max, allowed));
    const said = await this.ask(work, keywordsOrder({ ...wish, max }));
    const found = listIn(said.data.keywords)
      .filter(isKeyword)
      .filter(({ text }) => allowed?.includes(text) ?? true)
      .map(({ text, score }) => ({ text, score: Math.min(1, Math.max(0, score)) }));
    return answered(work, said.usage, found.slice(0, max));
  }

  async extractFields(caller: Principal, wish: AssistInputs['extract']): Promise<Answer<'extract'>> {
    const { schema } = wish;
    if (typeof schema.properties !== 'object' || schema.properties === null)
      throw invalidField('schema', 'must be a JSON Schema of an object with properties', 'schema');
    jsonSchemaAt('schema', schema);
    const work = await this.begin(caller, 'extract', wish);
    if (work.isBuiltIn) return this.builtIn('extract', work, [await this.plain.runTask('extract', work.text, schema)]);
    const said = await this.ask(work, extractOrder(schema));
    const required = Array.isArray(schema.required) ? (schema.required as readonly string[]) : [];
    const missing = required.filter((name) => said.data[name] === undefined || said.data[name] === null);
    return answered(work, said.usage, [{ data: said.data, missing }]);
  }

  /** The model and the text; `not_configured` where the task needs a model that writes and there is none. */
  private async begin(caller: Principal, task: AssistTask, wish: AssistInputs['proofread']): Promise<Work> {
    const { model, isBuiltIn } = await this.models.resolveModel(wish.model_id);
    if (isBuiltIn && TASK_FACTS[task].built_in === null)
      throw new Problem(
        'not_configured',
        'This task needs a model that writes text. Ask the operator to set MODEL_TEXT, or add a model provider to the workspace.',
      );
    const given = await this.texts.readText(caller, wish);
    return { ...given, sitting: this.model.openSitting(caller, model.model_id), isBuiltIn };
  }

  private ask({ sitting, text }: Work, order: { readonly order: string; readonly schema: JsonObject }, number = 1): Promise<Said> {
    return this.model.askModel(sitting, { ...order, text, number });
  }

  private async builtIn<T extends AssistTask>(
    task: T,
    work: Work,
    results: readonly AssistResults[T][],
    leftOut: string | null = null,
  ): Promise<Answer<T>> {
    const usage = await this.model.chargeBuiltIn(work.sitting, { read: work.text, written: JSON.stringify(results) });
    const limits = [TASK_FACTS[task].built_in, work.limits, leftOut].filter((one) => one !== null).join(' ');
    return { results, model_id: work.sitting.model_id, usage, limits: limits === '' ? null : limits };
  }
}

const answered = <R>({ sitting, limits }: Work, usage: Said['usage'], results: readonly R[]): Assisted<R> => ({
  results,
  model_id: sitting.model_id,
  usage,
  limits,
});

const textIn = ({ data }: Said): string => data.text as string;

/** The sentences of the new text that the old one does not have. */
function changedIn(text: string, before: string): { readonly start: number; readonly end: number }[] {
  const known = new Set(sentencesOf(before).map((sentence) => sentence.text));
  return sentencesOf(text)
    .filter((sentence) => !known.has(sentence.text))
    .map(({ start, end }) => ({ start, end }));
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const isNamedEdit = (value: unknown): value is Omit<Edit, 'start' | 'end'> =>
  isObject(value) && typeof value.from === 'string' && typeof value.to === 'string';

const isKeyword = (value: unknown): value is AssistResults['keywords'] =>
  isObject(value) && typeof value.text === 'string' && typeof value.score === 'number';
