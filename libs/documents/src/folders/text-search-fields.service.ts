import { Injectable } from '@nestjs/common';
import { choiceValue, FLAG, listOf, SearchFields, wordValue, type SearchField, type SearchLeaf } from '@atrium/files';
import { TextConditions, type FileTextStatus } from '@atrium/retrieval';

const STATUSES = ['pending', 'running', 'ready', 'empty', 'unsupported', 'failed'] as const satisfies readonly FileTextStatus[];
const STATUS = choiceValue(STATUSES);
const LANGUAGE = wordValue('a language by its code of ISO 639-1, in lower case', /^[a-z]{2}$/);

/** The leaves `language`, `text_status` and `markdown_ready`: what is known of the text of a document. */
@Injectable()
export class TextSearchFields {
  constructor(
    private readonly texts: TextConditions,
    fields: SearchFields,
  ) {
    fields.register(this.language(), this.status(), this.ready());
  }

  private language(): SearchField {
    return {
      name: 'language',
      scopes: ['docs'],
      type: 'code of ISO 639-1 of the language that was detected',
      operators: { eq: { value: LANGUAGE }, in: { value: listOf(LANGUAGE) } },
      examples: { eq: 'de', in: ['de', 'en'] },
      compileLeaf: (leaf) => this.texts.languageCondition(valuesOf(leaf)),
    };
  }

  private status(): SearchField {
    return {
      name: 'text_status',
      scopes: ['docs'],
      type: STATUSES.join(', '),
      operators: { eq: { value: STATUS }, in: { value: listOf(STATUS) } },
      examples: { eq: 'failed', in: ['failed', 'unsupported'] },
      compileLeaf: (leaf) => this.texts.statusCondition(valuesOf(leaf) as FileTextStatus[]),
    };
  }

  private ready(): SearchField {
    return {
      name: 'markdown_ready',
      scopes: ['docs'],
      type: 'whether the text can be read as markdown',
      operators: { eq: { value: FLAG } },
      examples: { eq: true },
      compileLeaf: ({ value }) => (value === true ? this.texts.statusCondition(['ready']) : this.texts.statusCondition(NOT_READY)),
    };
  }
}

const NOT_READY = STATUSES.filter((status) => status !== 'ready');
const valuesOf = ({ value }: SearchLeaf): string[] => [value].flat().map(String);
