import { namesInReason, reasonIn } from '../../domain/model-refusal';
import { wordsOfText } from '../../domain/provider-words';
import { refusalOf } from './refusal-of';

const refused = (status: number | null, error: string, secrets: string[] = []) =>
  refusalOf({ provider: 'lab', model: 'pen', status, words: wordsOfText(error, secrets) });
const said = (message: string, code = '', type = ''): string => JSON.stringify({ error: { message, code, type } });

describe('a refusal of a provider', () => {
  it.each<[string, number | null, string, string, RegExp]>([
    [
      'a question that is too long',
      400,
      said("This model's maximum context length is 8192 tokens.", 'context_length_exceeded'),
      'unprocessable_content',
      /request of this length/,
    ],
    [
      'a question that is too long',
      400,
      said('prompt is too long: 210000 tokens > 200000 maximum', '', 'invalid_request_error'),
      'unprocessable_content',
      /request of this length/,
    ],
    [
      'a question that is too long',
      400,
      said('The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).'),
      'unprocessable_content',
      /request of this length/,
    ],
    ['no credit', 429, said('You exceeded your current quota.', 'insufficient_quota'), 'upstream_failed', /no credit left/],
    ['no credit', 402, said('Insufficient Balance'), 'upstream_failed', /no credit left/],
    [
      'no credit',
      400,
      said('Your credit balance is too low to access the API.', '', 'invalid_request_error'),
      'upstream_failed',
      /no credit left/,
    ],
    [
      'a minute that is used up',
      429,
      said('You exceeded your current quota, please check your plan.', 'RESOURCE_EXHAUSTED'),
      'rate_limited',
      /busy/,
    ],
    [
      'no such model',
      404,
      said('The model `pen` does not exist or you do not have access to it.', 'model_not_found'),
      'upstream_failed',
      /model pen .* does not exist/,
    ],
    ['no such model', 404, '{"error":"model \\"pen\\" not found, try pulling it first"}', 'upstream_failed', /does not exist/],
    ['a wrong key', 401, said('Incorrect API key provided.', 'invalid_api_key'), 'upstream_failed', /rejected the credential/],
    [
      'a wrong key',
      400,
      said('API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT'),
      'upstream_failed',
      /rejected the credential/,
    ],
    ['a content filter', 403, said('pen requires moderation. Your input was flagged for "violence".'), 'unprocessable_content', /filter/],
    [
      'no such model',
      403,
      said('The project does not have access to model `pen`.', 'model_not_found'),
      'upstream_failed',
      /does not exist/,
    ],
    ['a region', 403, said('Country, region, or territory not supported'), 'upstream_failed', /rejected the credential/],
    ['no credit', 403, said('Sorry, your account balance is insufficient', '30001'), 'upstream_failed', /no credit left/],
    ['no credit', 403, said('Key limit exceeded (total limit).'), 'upstream_failed', /no credit left/],
    ['a slow request', 408, said('Request timeout'), 'upstream_failed', /HTTP 408/],
    ['a question that is too long', 413, '<html>413 Request Entity Too Large</html>', 'unprocessable_content', /request of this length/],
    ['a content filter', 400, said('The response was filtered.', 'content_filter'), 'unprocessable_content', /content filter/],
    ['a busy provider', 429, '', 'rate_limited', /busy/],
    ['a busy provider', 429, JSON.stringify({ message: 'You have exceeded your token limit per minute.' }), 'rate_limited', /busy/],
    ['a busy provider', 429, said('Too many tokens, please wait before trying again.'), 'rate_limited', /busy/],
    ['a busy provider', 429, said('The model pen is not available right now.'), 'rate_limited', /busy/],
    ['a failing provider', 503, '<html>context_length_exceeded</html>', 'upstream_failed', /HTTP 503/],
    ['anything else', 400, said('No.'), 'unprocessable_content', /HTTP 400/],
    ['a busy provider in a stream', null, said('slow down', 'rate_limit_exceeded'), 'rate_limited', /busy/],
    ['an overloaded provider in a stream', null, said('Overloaded', '', 'overloaded_error'), 'upstream_failed', /interrupted/],
    ['a rejection in a stream', null, said('No.', '', 'invalid_request_error'), 'upstream_failed', /rejected the request/],
  ])('is %s: %s %s', (_, status, error, code, detail) => {
    const problem = refused(status, error);
    expect(problem).toMatchObject({ code });
    expect(problem.detail).toMatch(detail);
  });

  it.each([
    "This model's maximum prompt length is 131072 but the request contains 150000 tokens.",
    'The decoder prompt (length 40000) is longer than the maximum model length of 32768.',
    'Invalid request: Your request exceeded model token limit: 8192',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 4000 `inputs` tokens',
    'Range of input length should be [1, 98304]',
    'Request body too large for pen model. Max size: 8000 tokens.',
    'Prompt exceeds max length',
    'input length and `max_tokens` exceed context limit: 197000 + 8192 > 200000',
    'the request exceeds the available context size. try increasing the context size or enable context shift',
  ])('is a question that is too long: %s', (message) => {
    expect(refused(400, said(message)).detail).toMatch(/request of this length/);
  });

  it.each([
    [400, 'pen is not a valid model ID', ''],
    [404, 'No endpoints found for lab/pen.', ''],
    [400, 'Invalid model: pen', ''],
    [404, 'model: pen-3', 'not_found_error'],
    [404, 'models/pen-9 is not found for API version v1beta, or is not supported for generateContent.', ''],
    [404, 'The API deployment for this resource does not exist.', 'DeploymentNotFound'],
    [400, 'Model Not Exist', ''],
    [404, 'Not found the model pen or Permission denied', 'resource_not_found_error'],
    [400, 'The provided model identifier is invalid.', ''],
    [404, 'No models loaded. Please load a model in the developer page.', ''],
  ])('is no such model: %i %s', (status, message, type) => {
    expect(refused(status, said(message, '', type)).detail).toMatch(/model pen .* does not exist/);
  });

  it.each([
    [400, 'Access denied, please make sure your account is in good standing.', 'Arrearage'],
    [400, 'You have reached your specified API usage limits. You will regain access on 2026-12-01.', 'invalid_request_error'],
    [429, 'Your account is suspended, please check your plan.', 'exceeded_current_quota_error'],
  ])('is no credit: %i %s', (status, message, code) => {
    expect(refused(status, said(message, code)).detail).toMatch(/no credit left/);
  });

  it('is no missing model where no model of it calls tools', () => {
    expect(refused(404, said('No endpoints found that support tool use.')).detail).toMatch(/HTTP 404/);
  });

  it('keeps what the provider said apart, in one line, without keys, and no more than that', () => {
    const text = said(`Wrong key\nsk-proj-****abcd, my-own-secret or Bearer abcdef ${'word '.repeat(500)}`);
    const problem = refused(401, text, ['my-own-secret']);
    const reason = reasonIn(problem) ?? '';
    expect(reason).toMatch(/^Wrong key \[secret\], \[secret\] or \[secret\] word/);
    expect(reason.length).toBeLessThanOrEqual(710);
    expect(problem.detail).not.toContain('Wrong key');
    expect(reasonIn(new Error('outside', { cause: problem }))).toBe(reason);
    expect(reasonIn(refused(502, '<html>Bad gateway</html>'))).toBeNull();
  });

  it.each([
    [
      { message: 'Too long – the question, how many', code: 'a–1', type: 'bad' },
      'Too long - the question, how many – a-1, bad',
      'a-1, bad',
    ],
    [{ message: 'Too long – the question' }, 'Too long - the question', null],
    [{ code: 'a1' }, '– a1', 'a1'],
  ])('has its names apart from its sentence: %j', (error, reason, names) => {
    expect(reasonIn(refused(400, JSON.stringify({ error })))).toBe(reason);
    expect(namesInReason(reason)).toBe(names);
  });
});
