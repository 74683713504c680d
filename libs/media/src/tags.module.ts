import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { StatusesModule } from './statuses.module';
import { TagSearchField } from './application/tag-search-field';

const TAGS: Provider[] = [TagSearchField];

/** The words files are described with: groups, values, which file bears which. */
@Module({ imports: [FilesModule, StatusesModule], providers: TAGS, exports: TAGS })
export class TagsModule {}
