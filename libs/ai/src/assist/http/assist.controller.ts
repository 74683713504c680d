import { Body as FromBody, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { Problems, Returns } from '@atrium/platform/http';
import type { ProblemCode } from '@atrium/platform/kernel';
import { Assist, type OfferedTask } from '../application/assist';
import {
  AltTextAnswer,
  AltTextBody,
  AssistTaskPage,
  AssistTaskView,
  AssistTextAnswer,
  ExtractAnswer,
  ExtractBody,
  KeywordsAnswer,
  KeywordsBody,
  ListAssistTasks,
  ProofreadAnswer,
  ProofreadBody,
  RewriteAnswer,
  RewriteBody,
  SummarizeAnswer,
  SummarizeBody,
  TitleBody,
  TranslateBody,
} from './assist.dto';

const ALLOWED = ['agent:run', 'prompt:run', 'thread:create'] as const;
const FAILURES: readonly ProblemCode[] = [
  'unprocessable_content',
  'credits_exhausted',
  'not_configured',
  'upstream_failed',
  'upstream_timeout',
];

@ApiTags('Assist')
@Controller('assist')
export class AssistController {
  constructor(private readonly assist: Assist) {}

  /**
   * Lists the assist tasks.
   *
   * Each task is returned with its options and its availability and default model in this workspace.
   */
  @Get('tasks')
  @Named('listAssistTasks')
  @Policy({ any: [...ALLOWED] })
  @Returns(AssistTaskPage, 'The tasks.')
  async tasks(@Query() query: ListAssistTasks): Promise<Page<OfferedTask>> {
    return pageOfRows(AssistTaskView, await this.assist.listTasks(), query, ({ task }) => task);
  }

  /**
   * Rewrites a text.
   *
   * The text is rewritten in another tone or length, or according to the instruction. `changed` lists the new
   * sentences.
   */
  @Post('rewrite')
  @Named('assistRewrite')
  @Policy({ any: [...ALLOWED], rate: 'ai' })
  @Returns(RewriteAnswer, 'The results.')
  @Problems(...FAILURES)
  rewrite(@Caller() caller: Principal, @FromBody() body: RewriteBody): Promise<object> {
    return this.assist.runTask(caller, 'rewrite', body);
  }

  /**
   * Corrects a text.
   *
   * Offsets in `edits` refer to the text that you sent. The built-in model corrects only spaces, doubled words and
   * the first letters of sentences, which is stated in `limits`.
   */
  @Post('proofread')
  @Named('assistProofread')
  @Policy({ any: [...ALLOWED], rate: 'ai' })
  @Returns(ProofreadAnswer, 'The results.')
  @Problems(...FAILURES)
  proofread(@Caller() caller: Principal, @FromBody() body: ProofreadBody): Promise<object> {
    return this.assist.runTask(caller, 'proofread', body);
  }

  /**
   * Translates a text.
   *
   * Placeholders such as `{name}`, HTML tags, URLs and Markdown are kept unchanged. A translation that changes them
   * is requested once more and then rejected (422).
   */
  @Post('translate')
  @Named('assistTranslate')
  @Policy({ any: [...ALLOWED], rate: 'ai' })
  @Returns(AssistTextAnswer, 'The results.')
  @Problems(...FAILURES)
  translate(@Caller() caller: Principal, @FromBody() body: TranslateBody): Promise<object> {
    return this.assist.runTask(caller, 'translate', body);
  }

  /**
   * Summarizes a text.
   *
   * The built-in model quotes the most central sentences; `sentences` contains their positions.
   */
  @Post('summarize')
  @Named('assistSummarize')
  @Policy({ any: [...ALLOWED], rate: 'ai' })
  @Returns(SummarizeAnswer, 'The results.')
  @Problems(...FAILURES)
  summarize(@Caller() caller: Principal, @FromBody() body: SummarizeBody): Promise<object> {
    return this.assist.runTask(caller, 'summarize', body);
  }

  /**
   * Suggests titles for a text.
   *
   * Returns one to three titles, the best first.
   */
  @Post('title')
  @Named('assistTitle')
  @Policy({ any: [...ALLOWED], rate: 'ai' })
  @Returns(AssistTextAnswer, 'The results.')
  @Problems(...FAILURES)
  title(@Caller() caller: Principal, @FromBody() body: TitleBody): Promise<object> {
    return this.assist.runTask(caller, 'title', body);
  }

  /**
   * Finds the keywords of a text.
   *
   * With `allowed`, only keywords from that list are returned.
   */
  @Post('keywords')
  @Named('assistKeywords')
  @Policy({ any: [...ALLOWED], rate: 'ai' })
  @Returns(KeywordsAnswer, 'The results.')
  @Problems(...FAILURES)
  keywords(@Caller() caller: Principal, @FromBody() body: KeywordsBody): Promise<object> {
    return this.assist.runTask(caller, 'keywords', body);
  }

  /**
   * Describes an image for people who cannot see it.
   *
   * The description has at most 250 characters. Without a model that can see images, it is derived from metadata,
   * tags and name (`derived_from`); the request fails with 422 if these do not describe the image.
   */
  @Post('alt-text')
  @Named('assistAltText')
  @Policy({ any: [...ALLOWED], rate: 'ai' })
  @Returns(AltTextAnswer, 'The results.')
  @Problems(...FAILURES)
  altText(@Caller() caller: Principal, @FromBody() body: AltTextBody): Promise<object> {
    return this.assist.runTask(caller, 'alt-text', body);
  }

  /**
   * Extracts values from a text.
   *
   * `data` follows the schema; required properties whose values are not in the text are listed in `missing`.
   */
  @Post('extract')
  @Named('assistExtract')
  @Policy({ any: [...ALLOWED], rate: 'ai' })
  @Returns(ExtractAnswer, 'The results.')
  @Problems(...FAILURES)
  extract(@Caller() caller: Principal, @FromBody() body: ExtractBody): Promise<object> {
    return this.assist.runTask(caller, 'extract', body);
  }
}
