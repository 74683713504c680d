import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Named, Policy } from '@atrium/platform/access';
import { DEFAULT_LIMIT, pageOfRows, versionOf, type Page, type Versioned } from '@atrium/platform/database';
import { ReturnsResource } from '@atrium/platform/http';
import { ListWebFonts, WebFontPage, WebFontView } from './fonts.dto';
import { FONT_SOURCE } from './font-families';
import { WEB_FONTS, type WebFont } from './web-fonts';

/** The catalog changes with the service alone. */
const VERSION = versionOf(FONT_SOURCE, WEB_FONTS.length);

@ApiTags('Web fonts')
@Controller('web-fonts')
export class WebFontsController {
  /**
   * Lists the web fonts available for designs and sites.
   *
   * The catalog is the same in every workspace and sorted by family. Its `ETag` changes only with the version of the
   * service; requests with `If-None-Match` return 304 until then.
   */
  @Get()
  @Named('listWebFonts')
  @Policy({ any: ['knowledge-base:view'] })
  @ReturnsResource(WebFontPage)
  list(@Query() { q, ...query }: ListWebFonts): Page<WebFont> & Versioned {
    const wanted = q?.toLowerCase();
    const fonts = wanted === undefined ? WEB_FONTS : WEB_FONTS.filter(({ family }) => family.toLowerCase().includes(wanted));
    const page = pageOfRows(WebFontView, fonts, { ...query, limit: query.limit ?? DEFAULT_LIMIT }, ({ family }) => family);
    return { ...page, row_version: VERSION };
  }
}
