import type { FieldFault, JsonObject } from '@atrium/platform/kernel';
import { LONGEST_BODY, windowFaults } from './knowledge-record';
import type { RecordFacts } from './record-facts';

export const LONGEST = { rec_name: 500, rec_url: 2_048, rec_external_id: 512 } as const;
const MOST_TAGS = 50;
const LONGEST_TAG = 100;
const MOST_METADATA_BYTES = 64 * 1024;
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/u;

const fault = (path: string, code: string, message: string): FieldFault => ({ path, code, message });

/** What is wrong with a record besides its content; the same for every writer: a client, an import, a crawl. */
export function faultsOfFacts(facts: Omit<RecordFacts, 'rec_content'>): FieldFault[] {
  return [
    ...(facts.rec_name.trim() === '' ? [fault('rec_name', 'required', 'must not be empty')] : []),
    ...(['rec_name', 'rec_url', 'rec_external_id'] as const).flatMap((name) => textFaults(name, facts[name], LONGEST[name])),
    ...(facts.rec_url !== null && !isWebAddress(facts.rec_url) ? [fault('rec_url', 'format', 'must be a URL with http or https')] : []),
    ...(facts.rec_tags.length > MOST_TAGS ? [fault('rec_tags', 'too_many', `must have at most ${MOST_TAGS} tags`)] : []),
    ...facts.rec_tags
      .slice(0, MOST_TAGS)
      .flatMap((tag) =>
        tag.trim() === '' ? [fault('rec_tags', 'required', 'must not contain an empty tag')] : textFaults('rec_tags', tag, LONGEST_TAG),
      ),
    ...(facts.rec_language !== null && !/^[a-z]{2}$/.test(facts.rec_language)
      ? [fault('rec_language', 'format', 'must be an ISO 639-1 code, such as `en`')]
      : []),
    ...(Buffer.byteLength(JSON.stringify(facts.rec_metadata)) > MOST_METADATA_BYTES
      ? [fault('rec_metadata', 'length', 'must be at most 64 KB')]
      : []),
    ...windowFaults(facts.rec_valid_from, facts.rec_valid_until),
  ];
}

/** What is wrong with the content of a record of a text base. */
export function faultsOfText(content: JsonObject): FieldFault[] {
  const unknown = Object.keys(content).filter((key) => key !== 'body');
  const { body } = content;
  return [
    ...unknown.map((key) => fault(`rec_content.${key}`, 'unknown_field', 'is not a field of a text base, whose records have only a body')),
    ...(typeof body === 'string'
      ? body.length > LONGEST_BODY
        ? [fault('rec_content.body', 'length', `must have at most ${LONGEST_BODY} characters`)]
        : textFaults('rec_content.body', body, LONGEST_BODY)
      : [fault('rec_content.body', body === undefined || body === null ? 'required' : 'type', 'must be markdown')]),
  ];
}

function textFaults(path: string, text: string | null, most: number): FieldFault[] {
  if (text === null) return [];
  if (text.length > most) return [fault(path, 'length', `must have at most ${most} characters`)];
  return UNSEEN.test(text) ? [fault(path, 'format', 'must not contain control characters')] : [];
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
