#include "go_asm.h"
#include "textflag.h"

// A byte as a vector of 32.
#define BYTES(name, word) \
	DATA name<>+0(SB)/8, word; \
	DATA name<>+8(SB)/8, word; \
	DATA name<>+16(SB)/8, word; \
	DATA name<>+24(SB)/8, word; \
	GLOBL name<>(SB), RODATA|NOPTR, $32

BYTES(quote, $0x2727272727272727)
BYTES(angle, $0x3c3c3c3c3c3c3c3c)

// AX  where the record has been read to
// BX  the last position at which 32 bytes can be loaded
// CX  pieces left
// DX  values
// SI  b
// DI  piece
// R8  its next field
// R9  where the value begins
// R10 whether the location is plain
// R11 a bit for each byte that ends a search
// Y14 quotes: a plain value holds no byte that is smaller, as a signed number, and no <
// Y15 angles

// func followInVectors(b *byte, length int, pieces *piece, count int, values *[Fields]Span) (end int, clean bool)
TEXT ·followInVectors(SB), NOSPLIT, $0-49
	MOVQ b+0(FP), SI
	MOVQ length+8(FP), BX
	MOVQ pieces+16(FP), DI
	MOVQ count+24(FP), CX
	MOVQ values+32(FP), DX
	SUBQ $const_pieceSize, BX
	XORQ AX, AX
	MOVQ $1, R10
	VMOVDQU quote<>(SB), Y14
	VMOVDQU angle<>(SB), Y15

piece:
	CMPQ AX, BX
	JGT  differs
	VMOVDQU (SI)(AX*1), Y0
	VPXOR  piece_words(DI), Y0, Y0
	VPTEST piece_masks(DI), Y0
	JNZ  differs
	ADDQ piece_length(DI), AX
	MOVBQZX piece_next(DI), R8
	CMPQ R8, $const_None
	JEQ  next
	MOVQ AX, R9

value:
	CMPQ AX, BX
	JGT  differs
	VMOVDQU (SI)(AX*1), Y0
	ADDQ $const_pieceSize, AX
	VPCMPGTB Y0, Y14, Y1
	VPCMPEQB Y0, Y15, Y0
	VPOR Y0, Y1, Y1
	VPMOVMSKB Y1, R11
	TESTL R11, R11
	JZ   value
	TZCNTL R11, R11
	LEAQ -const_pieceSize(AX)(R11*1), AX
	CMPB (SI)(AX*1), $'<'
	JEQ  end
	CMPQ R8, $const_Loc
	JNE  differs
	XORQ R10, R10

rest: // of a location that is not plain
	CMPQ AX, BX
	JGT  differs
	VPCMPEQB (SI)(AX*1), Y15, Y0
	ADDQ $const_pieceSize, AX
	VPMOVMSKB Y0, R11
	TESTL R11, R11
	JZ   rest
	TZCNTL R11, R11
	LEAQ -const_pieceSize(AX)(R11*1), AX

end:
	CMPQ AX, R9
	JEQ  differs
	SHLQ $4, R8 // a span has 16 bytes
	MOVQ R9, Span_From(DX)(R8*1)
	MOVQ AX, Span_To(DX)(R8*1)

next:
	ADDQ $piece__size, DI
	DECQ CX
	JNZ  piece
	VZEROUPPER
	MOVQ AX, end+40(FP)
	MOVB R10, clean+48(FP)
	RET

differs:
	VZEROUPPER
	MOVQ $0, end+40(FP)
	MOVB $0, clean+48(FP)
	RET
