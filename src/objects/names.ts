/** RFC 1123 subdomain: what Kubernetes accepts as the name of nearly everything. */
const LEGAL_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
/** What is harmless in every key and path built from a name; templates and hand-written files have such names. */
const TOLERABLE_NAME = /^[A-Za-z0-9_]([-_.A-Za-z0-9]*[A-Za-z0-9_])?$/;
const KEY_NAME = /^[A-Za-z0-9]([-_.A-Za-z0-9]*[A-Za-z0-9])?$/;

export type NameVerdict = 'legal' | 'tolerable' | 'illegal';

export function judgeName(name: string): NameVerdict {
  // `__proto__` is the one tolerable word that a careless table would trip over.
  if (name.length > 253 || name === '__proto__') return 'illegal';
  if (LEGAL_NAME.test(name)) return 'legal';
  return TOLERABLE_NAME.test(name) && !name.includes('..') ? 'tolerable' : 'illegal';
}

/** Whether Kubernetes accepts it as an annotation or label key: `[prefix/]name`. */
export function isQualifiedKey(key: string): boolean {
  const slash = key.indexOf('/');
  const name = key.slice(slash + 1);
  if (name.length > 63 || !KEY_NAME.test(name)) return false;
  return slash === -1 || judgeName(key.slice(0, slash).toLowerCase()) === 'legal';
}

/** Whether Kubernetes accepts it as a key of a Secret or ConfigMap. */
export function isDataKey(key: string): boolean {
  return key.length <= 253 && key !== '.' && key !== '..' && !key.startsWith('..') && key !== '__proto__' && /^[-._a-zA-Z0-9]+$/.test(key);
}
