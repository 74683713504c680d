import { Module, type Provider } from '@nestjs/common';
import { BaseAccess } from './application/base-access';
import { BasesRepository } from './infrastructure/bases.repository';

const BASES: Provider[] = [BaseAccess, BasesRepository];

/** Knowledge bases themselves: what they are called, who may see them, how they are deleted and come back. */
@Module({ providers: BASES, exports: BASES })
export class BasesModule {}
