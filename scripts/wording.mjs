// Prints violations of the wording rules: npm run wording -- src/server/engines docs
import { run } from './run.mjs'

const paths = process.argv.slice(2)
process.exitCode = await run('node', ['src/server/testing/wording.ts', ...(paths.length > 0 ? paths : ['.'])])
