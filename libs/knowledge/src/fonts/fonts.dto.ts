import { Choice, Text } from '@atrium/platform/database';
import { acceptParameter, Answer, ListQuery, PageOf } from '@atrium/platform/http';
import { FONT_CATEGORIES, type FontCategory } from './web-fonts';

@Answer()
export class WebFontView {
  @Text({ about: 'Name of the font family, as used in style sheets.', example: 'JetBrains Mono', sort: true }) family!: string;
  @Choice(FONT_CATEGORIES, { about: 'Category of the font.', example: 'monospace', filter: 'equals' }) category!: FontCategory;
}

export class WebFontPage extends PageOf(WebFontView) {}

/** Query of GET /web-fonts. */
export class ListWebFonts extends ListQuery(WebFontView, { extended: true }) {
  q?: string;
}
acceptParameter(
  ListWebFonts,
  { name: 'q', kind: 'text', min: 1, filter: 'contains' },
  {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description: 'Text in the name of the family, in any case.',
    example: 'mono',
  },
);
