import { Module } from '@nestjs/common';
import { EmbeddingsModule } from '../embeddings/embeddings.module';
import { PassagesModule } from '../passages/passages.module';
import { TextsModule } from '../texts/texts.module';
import { RetrievalSweep } from './sweep.schedule';
import { SweptWorkspaces } from './swept-workspaces';
import { SweptWorkspaceRows } from './swept-workspaces.rows';

/** What keeps everything here in order, by the clock. */
@Module({ imports: [EmbeddingsModule, PassagesModule, TextsModule], providers: [RetrievalSweep, SweptWorkspaceRows, SweptWorkspaces] })
export class UpkeepWorkerModule {}
