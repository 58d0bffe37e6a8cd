import { answerParent } from '../isolated/isolated-process.ts'
import type { ExtractMessage, ExtractRequest } from './extract-text.ts'
import { readText } from './read-text.ts'

await answerParent<ExtractRequest, ExtractMessage>((request, { post }) => readText(request, post))
