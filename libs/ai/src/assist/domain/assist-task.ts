export const ASSIST_TASKS = ['rewrite', 'proofread', 'translate', 'summarize', 'title', 'keywords', 'alt-text', 'extract'] as const;
export type AssistTask = (typeof ASSIST_TASKS)[number];

/** A task as clients find it. */
export interface AssistTaskFacts {
  readonly task: AssistTask;
  readonly about: string;
  /** Inputs besides the text. */
  readonly options: readonly string[];
  /** What the task can do without a model that writes; null: nothing. */
  readonly built_in: string | null;
}

export const TASK_FACTS: Readonly<Record<AssistTask, Omit<AssistTaskFacts, 'task'>>> = {
  rewrite: { about: 'Rewrites a text in another tone or length.', options: ['tone', 'instruction', 'length'], built_in: null },
  proofread: {
    about: 'Corrects a text.',
    options: [],
    built_in:
      'Corrects only spaces, doubled words and the first letters of sentences; correcting spelling and grammar requires a model that writes text.',
  },
  translate: { about: 'Translates a text.', options: ['to', 'from', 'keep_markup'], built_in: null },
  summarize: {
    about: 'Shortens a text to its main points.',
    options: ['length', 'style'],
    built_in: 'Quotes the most central sentences and writes none of its own.',
  },
  title: {
    about: 'Finds titles for a text.',
    options: ['max'],
    built_in: 'Uses the best key phrase of the first sentences.',
  },
  keywords: {
    about: 'Finds the keywords of a text.',
    options: ['max', 'allowed'],
    built_in: 'Uses phrases that occur in the text.',
  },
  'alt-text': {
    about: 'Describes an image for people who cannot see it.',
    options: ['file_id'],
    built_in: 'Uses only the metadata, tags and name of the image, not the image itself.',
  },
  extract: {
    about: 'Extracts the values of a JSON Schema from a text.',
    options: ['schema'],
    built_in: 'Finds dates, numbers, e-mail addresses, URLs and phone numbers by the names of the properties; other values are sentences.',
  },
};
