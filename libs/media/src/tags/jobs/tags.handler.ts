import { Injectable } from '@nestjs/common';
import { Handles, type JobRun } from '@atrium/platform/messaging';
import { KeywordTags } from '../application/keyword-tags';
import { TagRules } from '../application/tag-rules.service';
import { TagWords } from '../application/tag-words.service';
import { keywordTags, tagRules, tagWords, type KeywordTagsPayload, type TagRulesPayload, type TagWordsPayload } from './tags.jobs';

/** Background work about tags: words that follow a changed tag, rules and keywords of files that are ready. */
@Injectable()
export class TagsHandler {
  constructor(
    private readonly words: TagWords,
    private readonly rules: TagRules,
    private readonly keywords: KeywordTags,
  ) {}

  @Handles(tagWords)
  renewWords({ mt_id }: TagWordsPayload, run: JobRun): Promise<void> {
    return this.words.renewWords(mt_id, run);
  }

  @Handles(keywordTags)
  applyKeywords({ file_id }: KeywordTagsPayload): Promise<void> {
    return this.keywords.applyKeywords(file_id);
  }

  @Handles(tagRules)
  applyRules({ file_id }: TagRulesPayload): Promise<void> {
    return this.rules.applyRules(file_id);
  }
}
