import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { JobsModule } from '@atrium/platform/messaging';
import { AlbumsModule } from '../albums/albums.module';
import { LibraryModule } from '../library/library.module';
import { FileTagging } from './application/file-tagging';
import { FileTags } from './application/file-tags.service';
import { KeywordTags } from './application/keyword-tags';
import { TagConditions } from './application/tag-conditions';
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
import { TagGroupsRepository } from './infrastructure/tag-groups.repository';
import { TagsRepository } from './infrastructure/tags.repository';
import { TagsHandler } from './jobs/tags.handler';
import { keywordTags, tagRules, tagWords } from './jobs/tags.jobs';

const TAGS: Provider[] = [
  FileTagging,
  FileTags,
  FileTagsRepository,
  KeywordTags,
  TagConditions,
  TagGroupsRepository,
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

/** The words files are described with: groups, values, which file has which. */
@Module({ imports: [AlbumsModule, FilesModule, LibraryModule], providers: TAGS, exports: TAGS })
export class TagsModule {}

/** Its routes. */
@Module({ imports: [TagsModule], controllers: [FileTagsController, TagGroupsController, TagsController] })
export class TagsHttpModule {}

/** Its background work. */
@Module({ imports: [TagsModule, JobsModule.define([keywordTags, tagRules, tagWords])], providers: [TagsHandler] })
export class TagsWorkerModule {}
