import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Compute, defineTask } from '@atrium/platform/compute';
import { Problem, type JsonObject } from '@atrium/platform/kernel';
import { MOST_MARKDOWN_CHARACTERS } from '../domain/doc-from-markdown';

const READ_MARKDOWN = defineTask<typeof import('./markdown-doc.task')>(join(__dirname, 'markdown-doc.task'), { what: 'text' });

/** Documents from markdown, read in a bounded process. */
@Injectable()
export class MarkdownDocs {
  constructor(private readonly compute: Compute) {}

  /** The document of a markdown text, outside of a unit of work; it still has to be checked as a value of its field. */
  async readMarkdown(markdown: string): Promise<JsonObject> {
    if (markdown.length > MOST_MARKDOWN_CHARACTERS)
      throw new Problem('unprocessable_content', `The text is longer than ${MOST_MARKDOWN_CHARACTERS.toLocaleString('en')} characters.`);
    return this.compute.runTask(READ_MARKDOWN, { markdown });
  }
}
