/** The parameters of a predictor (ISO 32000 table 8). */
export interface Prediction {
  /** 2 is TIFF's, 10 and more are PNG's. */
  readonly predictor: number;
  readonly colors: number;
  readonly bits: number;
  readonly columns: number;
}

/** Undo the prediction of Flate and LZW; bytes after the last complete row are dropped. */
export function undoPredictor(bytes: Uint8Array, prediction: Prediction): Uint8Array {
  const { colors, bits, columns } = prediction;
  const step = Math.max(1, Math.ceil((colors * bits) / 8));
  const width = Math.ceil((colors * bits * columns) / 8);
  if (!(width > 0 && width <= 1 << 24 && step <= 64)) return bytes;
  return prediction.predictor >= 10 ? undoPng(bytes, width, step) : undoTiff(bytes, width, step, bits);
}

// Whole bytes only: text and cross-references use nothing else.
function undoTiff(bytes: Uint8Array, width: number, step: number, bits: number): Uint8Array {
  if (bits !== 8) return bytes;
  const out = bytes.slice();
  for (let row = 0; row < out.length; row += width)
    for (let at = row + step; at < Math.min(row + width, out.length); at++)
      out[at] = ((out[at] ?? 0) + (out[at - step] ?? 0)) & 0xff;
  return out;
}

function undoPng(bytes: Uint8Array, width: number, step: number): Uint8Array {
  const rows = Math.floor((bytes.length + width) / (width + 1));
  const out = new Uint8Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const from = row * (width + 1);
    const filter = bytes[from] ?? 0;
    const to = row * width;
    const count = Math.min(width, bytes.length - from - 1);
    for (let at = 0; at < count; at++) {
      const raw = bytes[from + 1 + at] ?? 0;
      const left = at >= step ? (out[to + at - step] ?? 0) : 0;
      const up = row > 0 ? (out[to - width + at] ?? 0) : 0;
      const corner = row > 0 && at >= step ? (out[to - width + at - step] ?? 0) : 0;
      out[to + at] = (raw + predictedByte(filter, left, up, corner)) & 0xff;
    }
  }
  return out;
}

function predictedByte(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const guess = left + up - corner;
      const toLeft = Math.abs(guess - left);
      const toUp = Math.abs(guess - up);
      const toCorner = Math.abs(guess - corner);
      return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
    }
    default:
      return 0;
  }
}
