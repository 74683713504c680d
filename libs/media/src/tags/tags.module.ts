import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { FileTags } from './application/file-tags.service';
import { FileTagging } from './application/file-tagging';
import { KeywordTags } from './application/keyword-tags';
import { RuleReader } from './application/rule-reader';
import { TagGroupsService } from './application/tag-groups.service';
import { TagRetirement } from './application/tag-retirement';
import { TagRules } from './application/tag-rules.service';
import { TagSearchField } from './application/tag-search-field';
import { TagVocabulary } from './application/tag-vocabulary';
import { TagWords } from './application/tag-words.service';
import { TagsOfFiles } from './application/tags-of-files';
import { TagsService } from './application/tags.service';
import { FileTagsController } from './http/file-tags.controller';
import { TagGroupsController } from './http/tag-groups.controller';
import { TagsController } from './http/tags.controller';
import { FileTagsRepository } from './infrastructure/file-tags.repository';
import { TagsRepository } from './infrastructure/tags.repository';
import { TagsHandler } from './jobs/tags.handler';
import { keywordTags, tagRules, tagWords } from './jobs/tags.jobs';
import { LibraryModule } from '../library/library.module';
import { StatusesModule } from '../statuses/statuses.module';

const TAGS: Provider[] = [
  FileTagging,
  FileTags,
  FileTagsRepository,
  KeywordTags,
  RuleReader,
  TagGroupsService,
  TagRetirement,
  TagRules,
  TagSearchField,
  TagsOfFiles,
  TagsRepository,
  TagsService,
  TagVocabulary,
  TagWords,
];

/** The words files are described with: groups, values, which file bears which. */
@Module({ imports: [FilesModule, LibraryModule, StatusesModule], providers: TAGS, exports: TAGS })
export class TagsModule {}

/** Its routes. */
export const TAGS_CONTROLLERS = [FileTagsController, TagGroupsController, TagsController];

export const TAGS_JOBS = [keywordTags, tagRules, tagWords];

/** Its background work. */
export const TAGS_WORKER: Provider[] = [TagsHandler];
