import type { JsonObject } from '@atrium/platform/kernel';
import type { OfferedTool, ToolRisk } from './agent-tool';

const text = (description: string, max: number): JsonObject => ({ type: 'string', minLength: 1, maxLength: max, description });
const whole = (description: string, minimum: number, maximum: number): JsonObject => ({ type: 'integer', minimum, maximum, description });

const input = (properties: Readonly<Record<string, JsonObject>>, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
});

const builtIn = <N extends string>(name: N, risk: ToolRisk, description: string, schema: JsonObject) =>
  ({ tool: name, name, risk, description, schema }) satisfies OfferedTool & { tool: N };

/** The tools of the service itself, as models and customers read them. */
export const BUILT_IN_TOOLS = [
  builtIn(
    'search_knowledge',
    'read',
    'Searches the knowledge bases, folders and files of the conversation and returns numbered passages to cite.',
    input({ query: text('What to look for, as a question or in words.', 4_000), k: whole('Number of passages.', 1, 50) }, ['query']),
  ),
  builtIn(
    'read_document',
    'read',
    'Reads a part of the text of a file, with the position at which it begins.',
    input(
      {
        file_id: { type: 'string', format: 'uuid', description: 'The file.' },
        from: whole('Position of the first character.', 0, 100_000_000),
        max: whole('Number of characters.', 1, 50_000),
      },
      ['file_id'],
    ),
  ),
  builtIn(
    'find_files',
    'read',
    'Finds files of the media library or of the document library by words of their names and texts.',
    input({ query: text('Words.', 500), kind: { type: 'string', enum: ['media', 'document'], description: 'Which library.' } }, [
      'query',
      'kind',
    ]),
  ),
  builtIn('get_subject', 'read', 'Reads the subject of the conversation again, as it is now.', input({})),
  builtIn(
    'remember',
    'write',
    'Remembers a short fact or preference of the person who asks, for later conversations.',
    input(
      {
        value: text('What to remember, as a sentence.', 1_000),
        type: { type: 'string', enum: ['fact', 'preference', 'context'], description: 'Kind of memory; fact when absent.' },
      },
      ['value'],
    ),
  ),
  builtIn(
    'forget',
    'write',
    'Forgets what is remembered of the person who asks.',
    input({ query: text('Words that occur in what is to be forgotten.', 1_000) }, ['query']),
  ),
  builtIn(
    'calculate',
    'read',
    'Calculates an arithmetic expression with exact decimal numbers.',
    input({ expression: text('For example `(19.99 + 5) * 3`.', 1_000) }, ['expression']),
  ),
  builtIn(
    'current_time',
    'read',
    'Returns the date and time.',
    input({ tz: text('Time zone, such as `Europe/Berlin`; UTC when absent.', 64) }),
  ),
  builtIn(
    'create_document',
    'write',
    'Creates a Markdown document in the files of the conversation.',
    input({ name: text('Name of the file.', 200), markdown: { type: 'string', maxLength: 500_000, description: 'Content.' } }, [
      'name',
      'markdown',
    ]),
  ),
  builtIn(
    'fetch_url',
    'external',
    'Reads the text of a page of the public web.',
    input({ url: { type: 'string', format: 'uri', maxLength: 2_000, description: 'Address.' } }, ['url']),
  ),
] as const;
