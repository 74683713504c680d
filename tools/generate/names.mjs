// One word from the command line in all the forms that code wants.

const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

export function namesOf({ context, resource, prefix = prefixOf(resource), plural = pluralOf(resource) }) {
  for (const [what, word] of Object.entries({ context, resource, plural }))
    if (!KEBAB.test(word)) throw new Error(`The ${what} must be in kebab-case, such as prompt-category, not ${word}.`);
  if (!/^[a-z]{1,16}$/.test(prefix)) throw new Error('The prefix must have 1 to 16 lowercase letters. Set it with --prefix.');
  const words = resource.split('-').join(' ');
  return {
    context,
    resource,
    plural,
    prefix,
    Context: pascal(context),
    Resource: pascal(resource),
    Resources: pascal(plural),
    variable: camel(resource),
    variables: camel(plural),
    table: resource.replaceAll('-', '_'),
    noun: words,
    nouns: plural.split('-').join(' '),
    tag: capital(plural.split('-').join(' ')),
    article: /^[aeiou]/.test(words) ? 'an' : 'a',
  };
}

function pluralOf(word) {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

const prefixOf = (word) =>
  word.includes('-')
    ? word
        .split('-')
        .map((part) => part.charAt(0))
        .join('')
    : word;
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const pascal = (word) => word.split('-').map(capital).join('');
const camel = (word) =>
  word
    .split('-')
    .map((part, i) => (i === 0 ? part : capital(part)))
    .join('');
