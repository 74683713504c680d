import { Module } from '@nestjs/common';
import { WebFontsController } from './fonts.controller';

/** The routes of the catalog of web fonts; nothing else needs it. */
@Module({ controllers: [WebFontsController] })
export class FontsHttpModule {}
