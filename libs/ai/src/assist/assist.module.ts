import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { ModelsModule } from '@atrium/models';
import { RetrievalModule } from '@atrium/retrieval';
import { ThreadsModule } from '../threads/threads.module';
import { AltTexts } from './application/alt-texts';
import { Assist } from './application/assist';
import { AssistModel } from './application/assist-model';
import { AssistText } from './application/assist-text';
import { BuiltInAssist } from './application/built-in-assist';
import { AssistController } from './http/assist.controller';

const ASSIST: Provider[] = [AltTexts, Assist, AssistModel, AssistText, BuiltInAssist];

/** Short assistance with texts and images. */
@Module({ imports: [FilesModule, ModelsModule, RetrievalModule, ThreadsModule], providers: ASSIST, exports: ASSIST })
export class AssistModule {}

/** Its routes. */
@Module({ imports: [AssistModule], controllers: [AssistController] })
export class AssistHttpModule {}
