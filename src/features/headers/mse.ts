import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { bounded, isEmpty } from './bounds.ts';
import type { HeaderControlPolicy } from './policy.ts';
import { headerLines, headerNames } from './values.ts';

const common = { onInvalid: 'default', scope: 'ingress', default: 'none' } as const;
const lines = { ...common, value: '`Name value`, one a line' } as const;
const names = { ...common, value: 'header names, comma separated' } as const;

export const mse = reader({
  dialect: 'mse',
  keys: {
    requestAdd: key({
      ...lines,
      name: 'request-header-control-add',
      parse: headerLines('request'),
      summary: 'Add values to headers of the request to the application.',
    }),
    requestUpdate: key({
      ...lines,
      name: 'request-header-control-update',
      parse: headerLines('request'),
      summary: 'Set headers of the request to the application.',
    }),
    requestRemove: key({
      ...names,
      name: 'request-header-control-remove',
      parse: headerNames('request'),
      summary: 'Remove headers of the request to the application.',
    }),
    responseAdd: key({
      ...lines,
      name: 'response-header-control-add',
      parse: headerLines('response'),
      summary: "Add values to headers of the application's answer.",
    }),
    responseUpdate: key({
      ...lines,
      name: 'response-header-control-update',
      parse: headerLines('response'),
      summary: "Set headers of the application's answer.",
    }),
    responseRemove: key({
      ...names,
      name: 'response-header-control-remove',
      parse: headerNames('response'),
      summary: "Remove headers of the application's answer.",
    }),
  },
  toPolicy(values, context): HeaderControlPolicy | undefined {
    const request = { remove: values.requestRemove ?? [], set: values.requestUpdate ?? [], add: values.requestAdd ?? [] };
    const response = { remove: values.responseRemove ?? [], set: values.responseUpdate ?? [], add: values.responseAdd ?? [] };
    const given = (...names: readonly string[]) => names.find((name) => context.given(name)) ?? '';
    const policy = {
      request: bounded(request, 1_000, given('requestUpdate', 'requestAdd', 'requestRemove'), context),
      response: bounded(response, 1_000, given('responseUpdate', 'responseAdd', 'responseRemove'), context),
    };
    return isEmpty(policy.request) && isEmpty(policy.response) ? undefined : policy;
  },
});
