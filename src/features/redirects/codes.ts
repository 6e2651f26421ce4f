import { integer } from '../values/basic.ts';
import { type Parser, parsed, problem } from '../contract/key.ts';
import { REDIRECT_CODES, type RedirectCode } from './policy.ts';

/** A status that moves a client. Other numbers from 300 to 399 count as `fallback`, which is said. */
export function redirectCode(fallback: RedirectCode): Parser<RedirectCode> {
  const number = integer({ min: 300, max: 399 });
  return (text) => {
    const outcome = number(text);
    if (!outcome.ok) return outcome;
    const code = REDIRECT_CODES.find((one) => one === outcome.value);
    return code === undefined ? parsed(fallback, `is not a status that carries a redirect; ${fallback} is sent`) : parsed(code);
  };
}

/** One of the five redirect statuses; anything else is a problem. */
export const strictRedirectCode: Parser<RedirectCode> = (text) => {
  const code = REDIRECT_CODES.find((one) => String(one) === text.trim());
  return code === undefined ? problem(`is not one of ${REDIRECT_CODES.join(', ')}`) : parsed(code);
};
