/** A drawn landscape of 48 × 32 pixels, blue at its upper edge; no library here writes JPEG 2000, so it was encoded once. */
const CODESTREAM = [
  '/0//UQAvAAAAAAAwAAAAIAAAAAAAAAAAAAAAMAAAACAAAAAAAAAAAAADBwEBBwEBBwEB/1IADAACAAEBAwQEAAD/XAAXQmc4Z1BnUGdoUAVQBVBHV9NX01di/2QAJQABQ3JlYXRlZCBi',
  'eSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS40/5AACgAAAAAIUQAB/5PD8x4HFv4SE45hOo3ggcOb5nnPbGB1bMVYDaGP5zuWePvD8x4TjEa2zrlfiudi03+E9euQP8r2kA5ANXBQ0RyFyeTD',
  '8x4Q3Artj8Rsa/8CyyyORkirjm16MBDzb40nV9m5nPfB+ArB+A9B+AuAK/sSWpHu5+ArXHteMPfNnjlObbceABhuq/rp77qZ4fL9PJj7t1NTsSlM1AZ3j3ZNllM/K777Db8nUiy50rnV',
  'YGbj5LcQisZwyoXB+AvD8x2D8BUsN2KAUOm1dstbg/yIG5WPqcrymdHZUSvetBHeWZN/xr6iqMoU2SngnUDy4OuFZ2CcrGN/LG0Fs5jHmKDTBTz3vY4K79twuzh0wfgKwfgNQfgKgCvT',
  'YkFXaH4xoKDMlvNmd5RSadM/Jx7m9FltoFdRxIlGanihCanbxPDZFF7C0w0AK/z58i9dh6xB4K4l0PZMZp9VRK9fw+04j8FSH2nIOd432msZrtzVn3h9qOOxc7H7iQp2bOQ3cTxrgWd1',
  'bp7qqMoCGn75N5cKT9jD/KrHs1YA0zFgysdng5OkRhzNYoif0yZ0UkBRJ2XHEJffhHrxJLdUl7JXU3SlBiGxqt9xNJrpXsjA3mK/4lhMwNe4KV/uDKNRYdAmB/PUY0VgIBA91kyZgaNg',
  'q45+DbNnWiKO3kUz/JlBpR8cdRmnGrw9lzQmP/c7etwPBCuSrKgyttvM9JcKO5G0fU9uHGL4VWsWybgoW8vD7TyH2pcPtPA6ijsCQ2ald+yf+5jT7tSo19/hdPFQI6ysmbiOje80wDSb',
  'Ls00UdUbHySNJvfM5Uotn6LVRTOLrnHQMlcam1UFQK+j6zSYFMq5TA6keAPtkbJz9icDuzZL6cEh+tkl8axPWhGU5rnnIxXF28Q+fW1FYr6k/h4zfXfz5Oo8Im4N6qfGaXZ0wn9Vu4ZE',
  'wRD/V/VgAyUuXxfrCjtfPg43apYqnkP35znhkjDo1YUbnV3MXFPwUJM03N6B5w6K6F22OxoHWp3B9RnH4IkPtNA53izPFdVKMjW5fCMLYq4sIJE5P7f20ESp0qtPqpVqFPkqaFrvf8xr',
  'MizD6hK8fDtxzaFzA1xls8dCeGDOqdlAQL/iYeE8UJ+08bxL7G9S0Jw3iZTj2tpRUSHeROQTyoMqmCDjS60EwbPWC5fTzt0liDrDFrf/f20wfxu2ctAzzgI//mDhiQ3dXBfz96TjaM2s',
  'yVOGl0bM6jnijZiXk+JnMEGcfq84f8ElYJ7B9TVD7a+g+pnAn1Cqb+hUhKXcgQ3SeO4K4frin0QJGnYxkC9/AcXrK+aY31rtzPNRxS/VywJ3C5/QFBrXdZ3NpZdSDIq5smoEHnxJyjbI',
  'gsnl+fTJK1FEUszjJIYRVy1ReLN2AWyPsX1LIb6jU7Zzmmz7n8A95gOw3aPI3Ra1eX1MAut8qUalS1QP2DHz443vU4ab5Mtu62AzT2klwTPdZFOGQSSKzM1wnFH2xaSc+0cyHg8MeQts',
  't9ES/yL/LKpsAgbTurkag6meRvJ+VDphZ7lpgxJhlGYtUoVp1Fy+hskniLgo8FYokU+hfo0scOq76/lDhDa0TGM0L7t5NmHLMN15Hi+WTOgC+1GP78OhzhwgXaSzBMrhPO4SWQauRP9a',
  'R/zKSZlEaUU2akpv6yx4B1+cqR1ypRSStcsjM8TqXbA4YNuJ8qxW1unfCRicyRlyLibfKOryTZ+kpHOeU9nWEwgcMeYN2URjSR0cj16pU4H/RkWQOcIrLT2jnvgr3tN5lx16Tc50Yiom',
  'wy4n86NBmTdTSQD+kkCfwfU6Q+2q4Hz2kHomSSQF5dynxaY+91y7p5dQHPRrjoQGqnJPOvIEv1y8rveYmNEn+uVOYeUD3OaFwCwN8eU6G3u9/NaGFAX/CV7D6jiiOtjj1VWBhzctVCGM',
  'eGl6rPRjoh4donbhR5vqo2kN4t2AXvTSYe5OjX0NvbX6NoO7oOHb848CqxkbjCA0h9YdHs56NzY68jSV0PJWVhEsJKWrNMgO04CVIzDv5aPJ2XhG4CrzQqKcDmVQL07sRNkB0gW+l7ur',
  'huTb2I3kX0SsOyurDim/P9Fz2QUF3h+w44tXOshbDINvgnumD6p8pCXfPD1r4Nn5YHdGUacY25waPs/9tKrA1oQITlD+K1A94ZkrIjd+GO5TSxyC9bhZBLhzj6irNPTfHh5rsWR/aK2A',
  'Vslz/VF7SUPRk8mCVCDgIM3bkKcIW/U9zvi3d6a1F1P6HfGIusLFHUSwTnTgs7TMsKTcf5KsbPIRCN55kyZyVUBtYPqRUAjE/mvgGimgl34nYFlMnEM/XAQUzezOpQK7vCS9h5TfwfUy',
  'Q+2qoPqWwHrTYR9+7eRypBTxoHAZ1AVLDKyX8xNKD3IG1V1p04J1kLWAIv36z4huAPzBwuWq03zF23MW3r11BMkUE0iuhpZoHRF5zTv5xFemT2oZY89Ecw8NNqIMgaDr7/iMOWhmpmo8',
  '/3+g4dv0bRqFMH0opmoCF+5W78usIbW/XNrPENSP+GnYNNvdmiuTC6pWoot5g0SLmB9nRaQwFS4DUUup2T3XEgO2MSlK0DIZeHWiKbf79yrN30oBxSWpLdci+C7uwMJnEcV54px1ot9T',
  'PuSmw/v0s7gJdjOyZXchFV/K0Dn21hOxIMktwk/fEsWUQbfN0oId7Xfp4aWG83R5WfehnQln3LO6SowKNYASw6d3Z6yYb9O3qERFiZJuWAxsWkl0TEq5RWZSdxtDOOydet4W8gE0b6me',
  'WwyQJvo1Gc89Pgvkf7LLvjtonpQyy3Yq5AGWva/lQFjg78/bK1C0lXrCyUS+IjHXnsSvcb//2Q==',
];

/** The picture as a bare codestream, or in a file of boxes of this brand. */
export function jpeg2000Picture(brand?: 'jp2 ' | 'jpx '): Buffer {
  const codestream = Buffer.from(CODESTREAM.join(''), 'base64');
  if (brand === undefined) return codestream;
  const size = Buffer.from('000000200000003000030707000000'.slice(0, 28), 'hex');
  const header = Buffer.concat([box('ihdr', size), box('colr', Buffer.from('01000000000010', 'hex'))]);
  return Buffer.concat([
    box('jP  ', Buffer.from('0d0a870a', 'hex')),
    box('ftyp', Buffer.concat([Buffer.from(brand), Buffer.alloc(4), Buffer.from('jp2 ')])),
    box('jp2h', header),
    box('jp2c', codestream),
  ]);
}

function box(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8, 0);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, content]);
}
