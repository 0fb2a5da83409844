import { failure } from '../../kernel/index.ts';
import { customiseErrors } from '../customise/errors.ts';

/** An operator's regular expression. Throws RULE_PATTERN. */
export function pattern(source: string, flags = ''): RegExp {
  try {
    return new RegExp(source, `${flags.replace(/[gy]/g, '')}${/[uv]/.test(flags) ? '' : 'u'}`);
  } catch (error) {
    throw failure(customiseErrors.RULE_PATTERN, { pattern: source, reason: (error as Error).message }, error);
  }
}
