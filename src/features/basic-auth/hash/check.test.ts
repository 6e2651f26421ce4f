import { verifySync } from '@node-rs/bcrypt';
import { expect, test } from 'vitest';
import { checkPassword } from './check.ts';
import { parseHash } from './format.ts';

function check(text: string, password: string | Buffer): boolean | string {
  const hash = parseHash(text);
  return hash.kind === 'refused' ? hash.reason : checkPassword(hash, Buffer.from(password), verifySync);
}

// Made with `openssl passwd` of openssl 3, bcrypt with @node-rs/bcrypt.
test.each([
  ['$apr1$saltsalt$x78Y39ym2RjUNQHTLgwHz/', 'pw'],
  ['$1$saltsalt$6SNdNaZLKst2LlSm7oPPL1', 'pw'],
  ['$5$saltsalt$0rl.MZtoLLPP3X0Rdl8riRnphIcAXJY27/aOAyK2hB5', 'pw'],
  ['$6$saltsalt$pauPrmdmG4BTE9h2HPmywiw152IFch6BJCEsaY6D.PLTfpV8sqvXwWdyfsgVgozkYH9B80bAip/08R2BPH2xk/', 'pw'],
  ['$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5', 'Hello world!'],
  ['$5$rounds=10000$saltstringsaltst$3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA', 'Hello world!'],
  ['$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1', 'Hello world!'],
  ['$2y$04$auMDf1zS13bWPXWcnFckO.Nzmp1gID4NQ.AvtBLuSlFPZO9WU5LOi', 'pw'],
  ['{PLAIN}p:w', 'p:w'],
  ['{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=', 'password'],
  ['{SSHA}yI6cZwQadOA1e+/f+T+H3eCQQhRzYWx0', 'password'],
  ['$apr1$Ab.d$8zXNSmcQKIwlXCupDiGbL0', '0123456789abcdef0'],
  ['$5$Ab.d$ID5YBvOwcRBE6khZJLpIO3yOZUnKfVR3w5jOjjqAdq6', '0123456789abcdef0'],
  ['$6$Ab.d$xn2IuofRteV8Tk84kycPrwY/2VKTrIVChuEQ/5t15ro39dKgV8dIroBzic/CLawL5dPz89kXoc2jJ2TRVxnYr.', '0123456789abcdef0'],
  ['$apr1$Ab.d$E6Xmy9zwUrcSTekyd.xyo0', 'ü€ñ'],
  ['$5$Ab.d$gyX5C7VtnBGftjFf.ua.g72tUT1He2oiMwxjORvOEQA', 'ü€ñ'],
  ['$6$Ab.d$csJhSuEYlnqU7PCRLDOIcvC22sutOstberoOr9cobt96Y7xSqtTkBYUpxqTzHsHTLux9LjQa7WDrsHZZkHTtn0', 'ü€ñ'],
])('%s', (hash, password) => {
  expect(check(hash, password)).toBe(true);
  expect(check(hash, `${password}x`)).toBe(false);
  expect(check(hash, '')).toBe(false);
});

test('an empty password has hashes like any other', () => {
  expect(check('$apr1$Ab.d$dVghPAXsY/Kxfh/SitZ.V0', '')).toBe(true);
  expect(check('$1$Ab.d$Tuo4xKVncsb9SARAg1NGJ/', '')).toBe(true);
});

test.each([
  ['', /no password hash/],
  ['{PLAIN}', /empty/],
  ['{CRYPT}abc', /other than/],
  ['{SHA}abc', /malformed/],
  ['rqXexS6ZhobKA', /DES/],
  ['$y$j9T$abc$def', /yescrypt/],
  ['$2y$31$5EM7ujvRsKcFDoTEbCC/EeWhNRVpQJdmFCGF5TWxeuWLHXMZL4o6e', /cost 31/],
  ['$2y$04$short', /malformed bcrypt/],
  ['$6$rounds=999999999$salt$pauPrmdmG4BTE9h2HPmywiw152IFch6BJCEsaY6D.PLTfpV8sqvXwWdyfsgVgozkYH9B80bAip/08R2BPH2xk/', /rounds/],
  ['secret', /unknown format/],
])('%s is refused', (hash, reason) => {
  expect(check(hash, 'x')).toMatch(reason);
});
