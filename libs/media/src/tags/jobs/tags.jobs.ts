import { SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** Names the tag whose words changed. */
export class TagWordsPayload {
  @IsUUID() mt_id!: string;
}

/** Renews the words by which files with a tag are found. */
export const tagWords = defineJob('media.tag-words', { payload: TagWordsPayload, attempts: 5, backoffMs: 2 * SECOND });

/** Names the picture whose keywords are looked at. */
export class KeywordTagsPayload {
  @IsUUID() file_id!: string;
}

/** Makes tags of the keywords that a picture brought along, where the workspace wants that. */
export const keywordTags = defineJob('media.keyword-tags', {
  payload: KeywordTagsPayload,
  attempts: 5,
  backoffMs: 2 * SECOND,
  key: ({ file_id }) => file_id,
});

/** Names the file whose tags follow from rules. */
export class TagRulesPayload {
  @IsUUID() file_id!: string;
}

/** Gives a file the tags that the rules of groups have for it. */
export const tagRules = defineJob('media.tag-rules', {
  payload: TagRulesPayload,
  attempts: 5,
  backoffMs: 2 * SECOND,
  key: ({ file_id }) => file_id,
});
