import { Module } from '@nestjs/common';
import { ForeignMarkup } from './foreign-markup';

/** Reading what users and strangers wrote. */
@Module({ providers: [ForeignMarkup], exports: [ForeignMarkup] })
export class ExtractionModule {}
