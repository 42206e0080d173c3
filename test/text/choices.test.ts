import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closest } from '../../src/text/choices.ts'

describe('the closest word', () => {
  it.each([
    ['brandId', ['id', 'brand', 'cnk'], 'brand'],
    ['createdat', ['createdAt', 'updatedSince'], 'createdAt'],
    ['created_at', ['createdAt', 'updatedSince'], 'createdAt'],
    ['actvie', ['active', 'inactive'], 'active'],
    ['ids', ['id'], 'id'],
    ['desc', ['ASC', 'DESC'], 'DESC'],
    ['products/stream', ['v4/products/stream', 'v4/brands/query'], 'v4/products/stream'],
    ['café', ['cafe'], 'cafe'],
  ])('the closest word to "%s" is found among %j', (word, candidates, meant) => {
    expect(closest(word, candidates)).toBe(meant)
  })

  it.each([
    ['price', ['id', 'brand', 'cnk']],
    ['x', ['id', 'or']],
    ['', ['id']],
    ['brand', []],
  ])('the closest word to "%s" is not guessed among %j', (word, candidates) => {
    expect(closest(word, candidates)).toBeUndefined()
  })

  it('the closest word is the nearest, and of equals the first', () => {
    expect(closest('colour', ['colours', 'color', 'colour'])).toBe('colour')
    expect(closest('cat', ['bat', 'hat'])).toBe('bat')
  })

  it('the closest word counts a swap of neighbours as one edit', () => {
    expect(closest('abdcfe', ['abcdef'])).toBe('abcdef')
    expect(closest('badcfe', ['abcdef'])).toBeUndefined()
  })

  it('the closest word is found for every word that lost one letter', () => {
    const word = fc.stringMatching(/^[a-z]{3,20}$/)
    fc.assert(
      fc.property(word, fc.nat(), (whole, at) => {
        const index = at % whole.length
        expect(closest(whole.slice(0, index) + whole.slice(index + 1), [whole])).toBe(whole)
      }),
    )
  })
})
