import { Whole } from '@atrium/platform/database';
import { Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { ContentLibrary } from '../domain/content-library';

export class CreateContentLibrary extends Body(ContentLibrary, { required: ['lib_name'], optional: ['lib_description'] }) {}

export class ChangeContentLibrary extends Body(ContentLibrary, { optional: ['lib_name', 'lib_description', 'lib_active'] }) {}

export class CopyContentLibrary extends Body(ContentLibrary, { required: ['lib_name'] }) {}

export class ListContentLibraries extends ListQuery(ContentLibrary) {
  lib_active?: boolean;
}

@Answer()
export class ContentLibraryView extends View(ContentLibrary) {
  @Whole({ about: 'Number of active content schemas in the library.', example: 12 }) lib_template_count!: number;
}

export class ContentLibraryPage extends PageOf(ContentLibraryView) {}
