import { mediaHost } from '../data/addresses.ts'
import type { AnswerBody } from '../server/answer-body.ts'
import { imagesPath } from './image-file.ts'

/**
 * The same answer with addresses of photos and leaflets that lead to this sandbox. The records themselves, as `generate`
 * writes them, keep theirs, which lead nowhere.
 */
export function withOwnAddresses(body: AnswerBody, baseUrl: string): AnswerBody {
  return {
    ...body,
    item(position) {
      const text = body.item(position).toString('latin1')
      return Buffer.from(
        text.replaceAll(generated, (_, folder: string) => `"${baseUrl}${imagesPath}${folder}/`),
        'latin1',
      )
    },
  }
}

const generated = new RegExp(`"${mediaHost.replaceAll('.', String.raw`\.`)}/(photos|leaflets)/`, 'g')
