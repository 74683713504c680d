import { SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** Names the tag whose words changed. */
export class TagWordsPayload {
  @IsUUID() mt_id!: string;
}

/** Renews the words by which files with a tag are found. */
export const tagWords = defineJob('media.tag-words', { payload: TagWordsPayload, attempts: 5, backoffMs: 2 * SECOND });

/** Names the file whose tags follow from rules. */
export class TagRulesPayload {
  @IsUUID() file_id!: string;
}

/** Gives a file the tags that the rules of groups have for it. */
export const tagRules = defineJob('media.tag-rules', { payload: TagRulesPayload, attempts: 5, backoffMs: 2 * SECOND, key: ({ file_id }) => file_id });
